// Errors of the system about files, with the system's reason.
#pragma once

#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {

// "cannot write out.jsonl: No space left on device"; `code` is an errno.
[[noreturn]] inline void fail_on_file(std::string_view action, const std::filesystem::path& file,
                                      int code) {
  throw Error(ErrorKind::system,
              fmt::format("cannot {} {}: {}", action, file.string(), std::strerror(code)));
}

}  // namespace weft
