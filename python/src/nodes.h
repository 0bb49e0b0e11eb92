// Values of configs and scores as Python's own: None, bool, int, float, str, list, dict.
#pragma once

#include <optional>

#include <nanobind/nanobind.h>

#include "registry/overrides/overrides.h"
#include "registry/value/config.h"

namespace weft::python {

namespace nb = nanobind;

nb::object to_python(const Node& node);
nb::dict to_dict(const Object& object);
// Raises TypeError for a value that a config cannot hold; tuples become lists.
Node node_of(nb::handle value);
// The same; nothing for other values.
std::optional<Node> data_of(nb::handle value);
// {"training.max_steps": 500}
Overrides overrides_of(const nb::dict& values);

}  // namespace weft::python
