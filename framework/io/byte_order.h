// Text in UTF-16, which programs of Windows write where they say "Unicode".
#pragma once

#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Throws Error(data), with the file and line 1, where a file's first bytes are a byte order mark of
// UTF-16. The message says how to make UTF-8 of it.
WEFT_API void refuse_utf16(std::string_view beginning, const std::string& file);

}  // namespace weft
