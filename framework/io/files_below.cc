#include "framework/io/files_below.h"

#include <algorithm>

#include <fmt/format.h>

#include "registry/error.h"

namespace weft {

std::vector<std::string> files_below(const std::filesystem::path& path, std::string_view ending) {
  namespace fs = std::filesystem;
  if (!fs::exists(path)) {
    throw Error(ErrorKind::usage, fmt::format("there is no file or folder '{}'", path.string()));
  }
  if (!fs::is_directory(path)) return {path.string()};
  std::vector<std::string> files;
  for (auto entry = fs::recursive_directory_iterator(path); entry != fs::end(entry); ++entry) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (!entry->is_directory() && name.ends_with(ending)) {
      files.push_back(entry->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace weft
