#include "framework/io/files_below.h"

#include <algorithm>

#include <fmt/format.h>

#include "registry/base/input_file.h"

namespace weft {

std::vector<std::string> files_below(const std::filesystem::path& path, std::string_view ending) {
  namespace fs = std::filesystem;
  if (!is_there(path)) {
    throw Error(ErrorKind::usage, fmt::format("there is no file or folder '{}'", path.string()));
  }
  std::error_code unreadable;  // opening the file says why
  if (!fs::is_directory(path, unreadable)) return {path.string()};
  std::vector<std::string> files;
  for (auto entry = fs::recursive_directory_iterator(path); entry != fs::end(entry); ++entry) {
    const std::string name = entry->path().filename().string();
    std::error_code unknown;  // of a link that leads nowhere, which opening the file names
    if (name.starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (!entry->is_directory(unknown) && name.ends_with(ending)) {
      // A user may name a pipe; one that lies in a folder was not meant.
      require_regular(entry->path());
      files.push_back(entry->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace weft
