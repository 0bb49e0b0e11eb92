// Comparing trees as the records' README says.
#pragma once

#include <optional>
#include <string>

#include "registry/overrides/overrides.h"
#include "registry/value/config.h"

namespace weft::conformance {

enum class Numbers {
  exact,      // 1 and 1.0 differ
  converted,  // an int may come back as a float, a numeric string as the number
  rounded,    // the last digits of a float may differ
};

// Where the trees differ and how, or nothing if they agree. The order of keys counts only below a
// key `*`.
std::optional<std::string> difference(const Node& expected, const Node& got, Numbers numbers);

// The same for overrides, whose order counts.
std::optional<std::string> difference(const Object& expected, const Overrides& got);

// One trailing line break aside.
bool same_text(std::string expected, std::string got);

}  // namespace weft::conformance
