// The operations that records ask for, by the name in their field `op`. Each file of operations
// adds its own with a static Operations object.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

#include "tests/conformance/conformance_config/case.h"

namespace weft::conformance {

using Operation = Outcome (*)(const Case&);

struct Operations {
  Operations(std::initializer_list<std::pair<std::string_view, Operation>> operations);
};

// Null where no operation of that name is known (such records are skipped).
Operation find_operation(const Case& record);

// Runs it; a thrown weft::Error becomes the outcome's problems.
Outcome perform(Operation operation, const Case& record);

}  // namespace weft::conformance
