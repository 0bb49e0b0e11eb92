// Errors of the system about files, with the system's reason.
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "framework/io/broken_pipe.h"
#include "registry/base/error.h"

namespace weft {

// "cannot write out.jsonl: No space left on device"; `code` is an errno.
[[noreturn]] inline void fail_on_file(std::string_view action, const std::filesystem::path& file,
                                      int code) {
  const std::string message =
      fmt::format("cannot {} {}: {}", action, file.string(), std::strerror(code));
  if (code == EPIPE) throw BrokenPipe(ErrorKind::system, message);
  throw Error(ErrorKind::system, message);
}

}  // namespace weft
