// Comparing errors as the records' README says: kinds, paths and reasons, not wording.
#pragma once

#include <optional>
#include <string>

#include "tests/conformance/conformance_config/case.h"

namespace weft::conformance {

// The part of `expected` (the object `error` of a record) that no problem has, or nothing.
std::optional<std::string> missing_error(const Json& expected, const Problems& problems);

// All problems on one line.
std::string shown(const Problems& problems);

}  // namespace weft::conformance
