#include "framework/io/folder_tree.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "framework/io/file_sink.h"
#include "framework/io/system_error.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

// A descriptor is open for each level; nothing that is written here is as deep.
constexpr int kDeepest = 100;

// Adds the names in a folder without "." and ".."; gives 0 or an errno.
int list_names(int folder, std::vector<std::string>& names) {
  // A descriptor of its own, whose place in the list of entries nobody else moves. Not opendir: its
  // buffer would be an allocation, and folders are removed just when there is no memory.
  const Descriptor entries(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!entries) return errno;
  alignas(dirent64) std::array<char, 8192> buffer;
  ssize_t got;
  while ((got = ::getdents64(entries.get(), buffer.data(), buffer.size())) > 0) {
    for (ssize_t at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const dirent64*>(buffer.data() + at);
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
      at += entry->d_reclen;
    }
  }
  return got < 0 ? errno : 0;
}

int remove_below(int at, const std::string& name, int depth) {
  // Tried as a file first: Linux answers EISDIR for a folder, POSIX allows EPERM. Nothing is looked
  // up by its kind before, which could change in between.
  if (::unlinkat(at, name.c_str(), 0) == 0 || errno == ENOENT) return 0;
  if (errno != EISDIR && errno != EPERM) return errno;
  if (depth == kDeepest) return ELOOP;
  const Descriptor folder = open_folder_in(at, name);
  if (!folder) return errno;
  std::vector<std::string> entries;
  if (const int code = list_names(folder.get(), entries)) return code;
  for (const std::string& entry : entries) {
    if (const int code = remove_below(folder.get(), entry, depth + 1)) return code;
  }
  return ::unlinkat(at, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : errno;
}

}  // namespace

fs::path parent_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

Descriptor open_folder_in(int at, const std::string& name) {
  return Descriptor(
      ::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

bool is_named(int opened, int at, const std::string& name) {
  struct stat own {};
  struct stat named {};
  return ::fstat(opened, &own) == 0 &&
         ::fstatat(at, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

std::vector<std::string> names_in(int folder, const fs::path& shown_as) {
  std::vector<std::string> names;
  if (const int code = list_names(folder, names)) fail_on_file("read", shown_as, code);
  std::sort(names.begin(), names.end());
  return names;
}

// Files first and the folder that names them last.
void sync_tree(int folder, const fs::path& shown_as) {
  for (const std::string& name : names_in(folder, shown_as)) {
    const fs::path path = shown_as / name;
    const Descriptor entry(
        ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat facts {};
    if (!entry || ::fstat(entry.get(), &facts) != 0) fail_on_file("sync", path, errno);
    if (S_ISDIR(facts.st_mode)) {
      sync_tree(entry.get(), path);
    } else {
      if (::fsync(entry.get()) != 0) fail_on_file("sync", path, errno);
    }
  }
  if (const int code = sync_folder(folder)) fail_on_file("sync", shown_as, code);
}

int remove_in(int at, const std::string& name) {
  return remove_below(at, name, 0);
}

void remove_tree(const fs::path& path, std::string_view first) {
  const Descriptor parent(::open(parent_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent) return;
  const std::string name = path.filename().string();
  if (!first.empty()) {
    if (const Descriptor folder = open_folder_in(parent.get(), name)) {
      remove_in(folder.get(), std::string(first));
    }
  }
  if (const int code = remove_in(parent.get(), name)) fail_on_file("remove", path, code);
}

}  // namespace weft
