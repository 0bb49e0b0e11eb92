#include "framework/io/files_below.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/io/compression.h"
#include "registry/base/input_file.h"

namespace weft {
namespace {

bool has_ending(std::string_view name, std::span<const std::string_view> endings,
                CompressedFiles compressed) {
  if (compressed == CompressedFiles::taken) name = uncompressed_name(name);
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

std::vector<std::string> files_below(const std::filesystem::path& path, std::string_view ending) {
  return files_below(path, {&ending, 1}, CompressedFiles::left_out);
}

std::vector<std::string> files_below(const std::filesystem::path& path,
                                     std::span<const std::string_view> endings,
                                     CompressedFiles compressed) {
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
    } else if (!entry->is_directory(unknown) && has_ending(name, endings, compressed)) {
      // A user may name a pipe; one that lies in a folder was not meant.
      require_regular(entry->path());
      files.push_back(entry->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace weft
