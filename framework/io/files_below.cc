#include "framework/io/files_below.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/io/compression.h"
#include "framework/io/file_limits.h"
#include "framework/io/system_error.h"
#include "registry/base/input_file.h"

namespace weft {
namespace {

bool has_ending(std::string_view name, std::span<const std::string_view> endings,
                CompressedFiles compressed) {
  if (compressed == CompressedFiles::taken) name = uncompressed_name(name);
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

bool is_entered(const std::filesystem::recursive_directory_iterator& entry) {
  std::error_code unknown;
  return entry.recursion_pending() && !entry->is_symlink(unknown) && entry->is_directory(unknown);
}

// The work for a file grows with its depth, and each folder above it stays open.
[[noreturn]] void fail_too_deep(const std::filesystem::path& folder) {
  throw Error(ErrorKind::data,
              fmt::format("{} has folders that lie more than {} deep within each other",
                          folder.string(), kDeepestFolder));
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
  walk_below(path, [&](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.')) return false;
    std::error_code unknown;  // of a link that leads nowhere, which opening the file names
    const bool is_folder = entry.is_directory(unknown);
    if (is_folder && entry.is_symlink(unknown)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} is a link to a folder, and is not followed, as it may lead "
                              "anywhere; name that folder itself",
                              entry.path().string()));
    }
    if (!is_folder && has_ending(name, endings, compressed)) {
      // A user may name a pipe; one that lies in a folder was not meant.
      require_regular(entry.path());
      files.push_back(entry.path().string());
    }
    return true;
  });
  // Part by part, as Python compares paths: v1/a comes before v1.1/b.
  std::sort(files.begin(), files.end(),
            [](const std::string& a, const std::string& b) { return fs::path(a) < fs::path(b); });
  return files;
}

// The error of an iterator does not say which folder is meant: it is the one that was about to be
// entered.
void walk_below(const std::filesystem::path& folder,
                const std::function<bool(const std::filesystem::directory_entry&)>& visit) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path last = folder;
  auto entry = fs::recursive_directory_iterator(folder, error);
  while (!error && entry != fs::end(entry)) {
    last = entry->path();
    if (!visit(*entry)) entry.disable_recursion_pending();
    if (entry.depth() == kDeepestFolder && is_entered(entry)) fail_too_deep(folder);
    entry.increment(error);
  }
  if (error) fail_on_file("read", last, error.value());
}

}  // namespace weft
