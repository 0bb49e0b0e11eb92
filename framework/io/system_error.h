// Errors of the system about files, with the system's reason.
#pragma once

#include <cerrno>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

// "cannot write out.jsonl: No space left on device"; `code` is an errno. A file in a folder
// under construction has the name that it will have.
[[noreturn]] WEFT_API void fail_on_file(std::string_view action, const std::filesystem::path& file,
                                        int code);

// The library names the function that failed; a user wants the file and the reason.
WEFT_API Error as_error(const std::filesystem::filesystem_error& error);

}  // namespace weft
