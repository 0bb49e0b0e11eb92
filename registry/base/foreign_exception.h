// Exceptions of functions that may be a plugin's, and so of any type.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Said of an exception that brings no words.
inline constexpr std::string_view kNoStdException = "it threw something that is no std::exception";

// Within a handler: throws an Error and std::bad_alloc on, which say enough. Of any other exception
// its words; nothing where it has none.
WEFT_API std::optional<std::string> foreign_words();

}  // namespace weft
