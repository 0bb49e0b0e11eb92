// Descriptions of registered functions, for people and for programs: the `registry` command and the
// reference pages are made from this.
#pragma once

#include <string>

#include "registry/functions/function.h"

namespace weft {

// {"kind", "name", "doc", "library", "built", "result", "parameters": [{"name", "type", "required",
//  "default", "range", "doc", "note"}], "meta"}; `default` only where there is one.
WEFT_API Node describe_json(const Function& function);

// The same as text for a terminal.
WEFT_API std::string describe_text(const Function& function);

}  // namespace weft
