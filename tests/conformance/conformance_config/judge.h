// Whether an outcome is what a record expects.
#pragma once

#include <optional>
#include <string>

#include "tests/conformance/conformance_config/case.h"

namespace weft::conformance {

// What is wrong, with expected and got, or nothing. `better` is as good as `expected`; a record
// that is `lenient` takes any error, and where nothing better is known any result.
std::optional<std::string> judge(const Case& record, const Outcome& outcome);

}  // namespace weft::conformance
