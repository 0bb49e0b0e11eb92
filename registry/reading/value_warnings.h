// Warnings for values that silently became strings. Source: docs/config.md, "Warnings".
#pragma once

#include <optional>
#include <string_view>

#include "registry/base/problem.h"
#include "registry/variables/raw_value.h"

namespace weft {

// Warnings about raw text that became the string `value`: single quotes, a comment or a comma
// behind the value, a number in another notation, a broken list or quoted text. Nothing for plain
// words, paths and the like. Text with variables is judged as far as it is known. The warning's
// place and path are left to the caller.
std::optional<Problem> value_warning(std::string_view raw, std::string_view value,
                                     VariableMode mode);

}  // namespace weft
