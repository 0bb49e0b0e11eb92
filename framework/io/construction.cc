#include "framework/io/construction.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

#include "framework/io/folder_tree.h"
#include "framework/io/system_error.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

enum class Missing { fail, make };

// Goes down from a folder under construction, name by name.
Descriptor open_below(int folder, const fs::path& rest, Missing missing, const fs::path& shown_as) {
  Descriptor at(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (const fs::path& part : rest) {
    if (!at) break;
    if (missing == Missing::make && ::mkdirat(at.get(), part.c_str(), 0777) != 0 &&
        errno != EEXIST) {
      fail_on_file("create", shown_as, errno);
    }
    at = open_folder_in(at.get(), part.string());
  }
  if (!at) fail_on_file(missing == Missing::make ? "create" : "write", shown_as, errno);
  return at;
}

}  // namespace

Construction& Construction::all() {
  static Construction& construction = *new Construction;
  return construction;
}

void Construction::begin(const fs::path& path, int folder, MadeFolders around,
                         const fs::path& target, Sync sync) {
  const std::lock_guard lock(mutex_);
  folders_.try_emplace(path.lexically_normal().string(),
                       Built{folder, std::move(around), target.lexically_normal(), sync});
}

MadeFolders Construction::end(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  auto ended = folders_.extract(path.lexically_normal().string());
  return ended ? std::move(ended.mapped().around) : MadeFolders();
}

// From the file's folder upwards.
std::map<std::string, Construction::Built>::const_iterator Construction::around(
    const fs::path& path) const {
  if (folders_.empty()) return folders_.end();
  fs::path folder = path.parent_path();
  while (!folder.empty()) {
    const auto found = folders_.find(folder.string());
    if (found != folders_.end() || folder == folder.parent_path()) return found;
    folder = folder.parent_path();
  }
  return folders_.end();
}

std::optional<Construction::Place> Construction::find(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  const fs::path whole = path.lexically_normal();
  const auto found = around(whole);
  if (found == folders_.end()) return std::nullopt;
  return Place{found->second.folder, whole.lexically_relative(found->first), found->second.sync};
}

// A folder may be built within another one, whose name changes too. A run's folder has its name.
fs::path Construction::shown(fs::path path) {
  const std::lock_guard lock(mutex_);
  while (true) {
    const fs::path whole = path.lexically_normal();
    const auto found = around(whole);
    if (found == folders_.end() || found->second.target == found->first) return path;
    path = found->second.target / whole.lexically_relative(found->first);
  }
}

Descriptor open_parent(const fs::path& path) {
  if (const auto place = Construction::all().find(path)) {
    return open_below(place->folder, place->rest.parent_path(), Missing::fail, path);
  }
  Descriptor folder(::open(parent_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) fail_on_file("write", path, errno);
  return folder;
}

MadeFolders make_folders_around(const fs::path& output) {
  const fs::path folder = parent_of(output);
  if (!Construction::all().holds(folder)) return MadeFolders(folder);
  make_folders(folder);
  return {};
}

void make_folders(const fs::path& path) {
  if (const auto place = Construction::all().find(path)) {
    open_below(place->folder, place->rest, Missing::make, path);
    return;
  }
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail_on_file("create", path, error.value());
}

}  // namespace weft
