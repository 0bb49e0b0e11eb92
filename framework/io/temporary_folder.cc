#include "framework/io/temporary_folder.h"

#include <cstdlib>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {

namespace fs = std::filesystem;

fs::path temporary_folder() {
  const char* const set = std::getenv("TMPDIR");
  const fs::path folder = set != nullptr && *set != '\0' ? set : "/tmp";
  std::error_code unknown;
  if (fs::is_directory(folder, unknown)) return folder;
  throw Error(
      ErrorKind::system,
      fmt::format("cannot keep temporary files in {}: it is no folder; TMPDIR names another",
                  folder.string()));
}

}  // namespace weft
