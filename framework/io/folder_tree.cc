#include "framework/io/folder_tree.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "framework/io/system_error.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

// A descriptor is open for each level; nothing that is written here is as deep.
constexpr int kDeepest = 100;

int remove_below(int at, const std::string& name, int depth) {
  if (::unlinkat(at, name.c_str(), 0) == 0 || errno == ENOENT) return 0;
  if (errno != EISDIR && errno != EPERM) return errno;
  if (depth == kDeepest) return ELOOP;
  const Descriptor folder = open_folder_in(at, name);
  if (!folder) return errno;
  for (const std::string& entry : names_in(folder.get(), name)) {
    if (const int code = remove_below(folder.get(), entry, depth + 1)) return code;
  }
  return ::unlinkat(at, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : errno;
}

void sync_one(int fd, const fs::path& shown_as) {
  // Some file systems cannot sync a folder and say EINVAL; there is nothing more to do then.
  if (::fsync(fd) != 0 && errno != EINVAL) fail_on_file("sync", shown_as, errno);
}

}  // namespace

fs::path parent_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

Descriptor open_folder_in(int at, const std::string& name) {
  return Descriptor(
      ::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

std::vector<std::string> names_in(int folder, const fs::path& shown_as) {
  // A descriptor of its own, whose place in the list of entries nobody else moves.
  const int fd = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
  if (!entries) fail_on_file("read", shown_as, errno);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

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
      sync_one(entry.get(), path);
    }
  }
  sync_one(folder, shown_as);
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
