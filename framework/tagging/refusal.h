// Errors about a token of an example.
#pragma once

#include <string_view>

#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// Throws Error(data) that names the place of the example in its corpus, the token of `doc` and what
// is wrong with it.
[[noreturn]] WEFT_API void refuse_token(const Example& example, const Doc& doc, int token,
                                        std::string_view what);

}  // namespace weft
