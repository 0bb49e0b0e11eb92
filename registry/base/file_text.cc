#include "registry/base/file_text.h"

#include <fmt/format.h>

#include "registry/base/input_file.h"

namespace weft {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;

}  // namespace

std::string read_file_text(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw Error(ErrorKind::usage, fmt::format("{} is a folder, not a config file", file.string()));
  }
  return InputFile(file, Accepts::open_pipes, ErrorKind::usage).read_all(kMostBytes);
}

}  // namespace weft
