// The fault of a JSON text, out of the words of the library that parses it.
#pragma once

#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// "column 8: unexpected end of input; expected string literal" of a message of nlohmann::json; with
// "line 3, " in front unless the text is the only line. Without the library's numbers and names of
// rules; a message of another form is given as it is.
WEFT_API std::string json_fault(std::string_view message, bool of_one_line);

}  // namespace weft
