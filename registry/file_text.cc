#include "registry/file_text.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "registry/error.h"

namespace weft {

std::string read_file_text(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw Error(ErrorKind::usage, fmt::format("{} is a folder, not a config file", file.string()));
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) {
    const char* reason = errno != 0 ? std::strerror(errno) : "it cannot be opened";
    throw Error(ErrorKind::usage, fmt::format("cannot read {}: {}", file.string(), reason));
  }
  return std::move(text).str();
}

}  // namespace weft
