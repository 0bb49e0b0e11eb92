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
    const std::filesystem::path config = file / "config.cfg";
    const bool has_config = std::filesystem::is_regular_file(config, ignored);
    throw Error(ErrorKind::usage,
                fmt::format("{} is a folder, not a config file{}", file.string(),
                            has_config ? "; a config of it is " + config.string() : ""));
  }
  return InputFile(file, Accepts::open_pipes, ErrorKind::usage).read_all(kMostBytes);
}

}  // namespace weft
