#include "framework/io/folder_tree.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "framework/io/file_sink.h"
#include "framework/io/pending_syncs.h"
#include "framework/io/system_error.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

// A descriptor is open for each level: folders below that are moved up before they are removed.
constexpr int kMostOpen = 100;

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

// Removes a tree of any depth with few descriptors.
class Removal {
 public:
  // The file, link or folder `name` in the folder `at`; gives 0 or an errno.
  int remove(int at, const std::string& name, int depth = 0) {
    // Tried as a file first: Linux answers EISDIR for a folder, POSIX allows EPERM. Nothing is
    // looked up by its kind before, which could change in between.
    if (::unlinkat(at, name.c_str(), 0) == 0 || errno == ENOENT) return 0;
    if (errno != EISDIR && errno != EPERM) return errno;
    if (depth == kMostOpen) return move_up(at, name);
    const Descriptor folder = open_folder_in(at, name);
    if (!folder) return errno;
    const int code = depth == 0 ? empty_all(folder.get()) : empty(folder.get(), depth);
    if (code != 0) return code;
    return ::unlinkat(at, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : errno;
  }

 private:
  // Until nothing was moved up into it.
  int empty_all(int folder) {
    top_ = folder;
    do {
      has_moved_ = false;
      if (const int code = empty(folder, 0)) return code;
    } while (has_moved_);
    return 0;
  }

  int empty(int folder, int depth) {
    std::vector<std::string> entries;
    if (const int code = list_names(folder, entries)) return code;
    for (const std::string& entry : entries) {
      if (const int code = remove(folder, entry, depth + 1)) return code;
    }
    return 0;
  }

  // Takes any name there that is free, or that of an empty folder: that one goes too.
  int move_up(int at, const std::string& name) {
    while (true) {
      const std::string free = std::to_string(moved_++);
      if (::renameat(at, name.c_str(), top_, free.c_str()) == 0) break;
      if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) return errno;
    }
    has_moved_ = true;
    return 0;
  }

  int top_ = -1;
  std::uint64_t moved_ = 0;
  bool has_moved_ = false;
};

// In any order: nothing in the tree is looked for before the folder above has its name.
void add_contents(int folder, const fs::path& shown_as, PendingSyncs& pending) {
  for (const std::string& name : names_in(folder, shown_as)) {
    const fs::path path = shown_as / name;
    Descriptor entry(
        ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat facts {};
    if (!entry || ::fstat(entry.get(), &facts) != 0) fail_on_file("sync", path, errno);
    if (!S_ISDIR(facts.st_mode)) {
      pending.add_file(std::move(entry), path);
      continue;
    }
    add_contents(entry.get(), path, pending);
    pending.add_folder(std::move(entry), path);
  }
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

void sync_tree(int folder, const fs::path& shown_as) {
  PendingSyncs pending;
  add_contents(folder, shown_as, pending);
  pending.flush();
  if (const int code = sync_folder(folder)) fail_on_file("sync", shown_as, code);
}

int remove_in(int at, const std::string& name) {
  return Removal().remove(at, name);
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
