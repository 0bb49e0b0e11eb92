// Examples from dictionaries, in the forms that spaCy 3.8 takes (Example.from_dict).
#pragma once

#include <vector>

#include <nanobind/nanobind.h>

#include "framework/text/char_ents.h"
#include "framework/text/example.h"

namespace weft::python {

namespace nb = nanobind;

// (start, end, label[, kb_id]) by characters, each; `fewest` 2: the label may be left out.
std::vector<CharEnt> char_ents_of(nb::handle ents, std::size_t fewest = 3);

// Raises KeyError for a key that means nothing here, ValueError for a value of another form.
Example example_from_dict(const Doc& predicted, const nb::dict& values);

}  // namespace weft::python
