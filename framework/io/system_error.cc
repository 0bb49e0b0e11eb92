#include "framework/io/system_error.h"

#include <cstring>
#include <memory>
#include <string>

#include "framework/io/broken_pipe.h"
#include "framework/io/construction.h"

namespace weft {

void fail_on_file(std::string_view action, const std::filesystem::path& file, int code) {
  const std::string message = fmt::format(
      "cannot {} {}: {}", action, Construction::all().shown(file).string(), std::strerror(code));
  if (code == EPIPE) throw BrokenPipe(ErrorKind::system, message);
  throw Error(ErrorKind::system, message);
}

Error as_error(const std::filesystem::filesystem_error& error) {
  const std::string reason = error.code().message();
  if (error.path1().empty()) {
    return {ErrorKind::system, fmt::format("a file or folder cannot be used: {}", reason)};
  }
  return {ErrorKind::system, reason,
          Origin::file(std::make_shared<const std::string>(error.path1().string()), 0, 0)};
}

}  // namespace weft
