// Folders that appear whole or not at all; leftovers of killed processes.
#include <algorithm>
#include <cerrno>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "framework/io/construction.h"
#include "framework/io/file_sink.h"
#include "framework/io/folder_tree.h"
#include "framework/io/system_error.h"
#include "framework/io/temporary_name.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

bool is_in(int folder, const std::string& name) {
  struct stat facts {};
  return ::fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

// Throws Error(system) where there is something that a folder may not replace: neither a folder nor
// a link. It may be anything, a device too, where the user may do all.
void refuse_file(int folder, const std::string& name, const fs::path& shown_as) {
  struct stat facts {};
  if (::fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (S_ISDIR(facts.st_mode) || S_ISLNK(facts.st_mode)) return;
  fail_on_file("replace", shown_as, ENOTDIR);
}

// None: it is no folder, or has nothing in it. One that cannot be opened has something.
std::optional<std::pair<dev_t, ino_t>> filled_folder(int around, const std::string& name,
                                                     const fs::path& shown_as) {
  struct stat facts {};
  const bool is_folder =
      ::fstatat(around, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(facts.st_mode);
  if (!is_folder) return std::nullopt;
  const Descriptor folder = open_folder_in(around, name);
  if (folder && names_in(folder.get(), shown_as).empty()) return std::nullopt;
  return std::pair(facts.st_dev, facts.st_ino);
}

void sync_shown(int folder, const fs::path& shown_as) {
  if (const int code = sync_folder(folder)) fail_on_file("sync", shown_as, code);
}

}  // namespace

AtomicFolder::AtomicFolder(fs::path target) : target_(std::move(target)) {
  if (!target_.has_filename()) target_ = target_.parent_path();  // a trailing slash
  name_ = target_.filename().string();
  MadeFolders around = make_folders_around(target_);
  parent_ = open_parent(target_);
  refuse_file(parent_.get(), name_, target_);  // before any work is done
  replaced_ = filled_folder(parent_.get(), name_, target_);
  create();
  try {
    Construction::all().begin(path_, own_.get(), std::move(around), target_);
  } catch (const std::bad_alloc&) {
    remove_in(parent_.get(), temporary_);
    throw;
  }
}

// The folder is made beside its target, on the same file system, or it could not be renamed there.
// While it is under construction nobody else may enter it, so no link can be planted inside.
void AtomicFolder::create() {
  while (true) {
    temporary_ = temporary_name(name_, TemporaryKind::fresh);
    if (::mkdirat(parent_.get(), temporary_.c_str(), 0777) == 0) break;
    if (errno != EEXIST) fail_on_file("create", target_, errno);
  }
  path_ = parent_of(target_) / temporary_;
  own_ = open_folder_in(parent_.get(), temporary_);
  struct stat facts {};
  if (!own_ || ::fstat(own_.get(), &facts) != 0) {
    const int code = errno;
    ::unlinkat(parent_.get(), temporary_.c_str(), AT_REMOVEDIR);
    fail_on_file("create", target_, code);
  }
  // As the system made it: by the umask, by what the folder around it passes on. A file system
  // without modes (FAT) refuses to change them, and they stay.
  if (::fchmod(own_.get(), 0700) == 0) mode_ = facts.st_mode & 07777;
}

AtomicFolder::~AtomicFolder() {
  try {
    const MadeFolders around = Construction::all().end(path_);
    if (!committed_) remove_in(parent_.get(), temporary_);
  } catch (const std::bad_alloc&) {
    // The folder stays as a leftover: the error that is on its way says more.
  }
}

// First the contents are put on the disk, then the name is changed. The other way round, a power
// cut could leave the new name with files that are empty. A folder within another one that is still
// under construction is left to that one's sync.
void AtomicFolder::sync_all() const {
  if (mode_ && ::fchmod(own_.get(), *mode_) != 0) fail_on_file("create", target_, errno);
  if (!Construction::all().holds(path_)) sync_tree(own_.get(), target_);
}

// The folder is known by its descriptor and renamed by its name; both must still be the same.
void AtomicFolder::check_own() const {
  if (is_named(own_.get(), parent_.get(), temporary_)) return;
  throw Error(ErrorKind::system,
              fmt::format("cannot write {}: the folder was deleted or moved while it was written",
                          target_.string()));
}

void AtomicFolder::rename_in(const std::string& from, const std::string& to) const {
  if (::renameat(parent_.get(), from.c_str(), parent_.get(), to.c_str()) != 0) {
    fail_on_file("rename to", parent_of(target_) / to, errno);
  }
}

bool AtomicFolder::is_replaceable(const std::string& name) const {
  const auto found = filled_folder(parent_.get(), name, target_);
  return !found || found == replaced_;
}

bool AtomicFolder::take_place() {
  check_own();
  refuse_file(parent_.get(), name_, target_);
  if (!is_in(parent_.get(), name_)) {
    rename_in(temporary_, name_);
    return false;
  }
  exchange();
  // Looked at where nobody else knows its name, so that it stays the one that is removed.
  if (is_replaceable(temporary_)) return true;
  exchange();
  throw Error(ErrorKind::usage,
              fmt::format("{} was put there while it was to be written, and is not replaced",
                          target_.string()));
}

// RENAME_EXCHANGE leaves no moment without a folder of that name. Where the file system lacks it
// the old one is moved aside first and put back if the second rename fails.
void AtomicFolder::exchange() {
  if (::renameat2(parent_.get(), temporary_.c_str(), parent_.get(), name_.c_str(),
                  RENAME_EXCHANGE) == 0) {
    return;
  }
  const bool cannot_exchange = errno == ENOSYS || errno == EINVAL || errno == ENOTSUP;
  if (!cannot_exchange) fail_on_file("replace", target_, errno);
  const std::string old = temporary_name(name_, TemporaryKind::old);
  rename_in(name_, old);
  try {
    rename_in(temporary_, name_);
  } catch (...) {
    rename_in(old, name_);
    throw;
  }
  temporary_ = old;
}

void AtomicFolder::commit() {
  sync_all();
  const bool replaced = take_place();
  committed_ = true;
  // The rename is on the disk before the old folder is removed: at any moment one whole version can
  // be found after a power cut.
  if (!Construction::all().holds(target_)) sync_shown(parent_.get(), target_);
  if (replaced) remove_in(parent_.get(), temporary_);
}

// The folder that is replaced is not removed but renamed: a run so has the checkpoint before the
// last one as well.
void AtomicFolder::commit_and_keep(const fs::path& keep) {
  sync_all();
  const bool replaced = take_place();
  committed_ = true;
  if (replaced) {
    const std::string name = keep.filename().string();
    remove_in(parent_.get(), name);
    rename_in(temporary_, name);
  }
  sync_shown(parent_.get(), target_);
}

namespace {

// Whether it is a file or a folder, no link, of this user or of the owner of the folder around it.
bool is_ours(int folder, const std::string& name) {
  struct stat around {};
  struct stat facts {};
  if (::fstat(folder, &around) != 0 ||
      ::fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
    return false;
  }
  return (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode)) &&
         (facts.st_uid == ::geteuid() || facts.st_uid == around.st_uid);
}

}  // namespace

// By the name of a leftover it is known what its process was doing: a new version was never
// finished and goes, an old one goes only if something stands in its place, else it is put back.
// Old ones come first, as other ranks may wait for them.
void clear_leftovers(const fs::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) fail_on_file("read", folder, errno);
  std::vector<std::string> names = names_in(opened.get(), folder);
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) {
    const auto parsed = parse_temporary_name(name);
    return parsed && parsed->kind == TemporaryKind::old;
  });
  for (const std::string& name : names) {
    const auto parsed = parse_temporary_name(name);
    if (!parsed || !is_ours(opened.get(), name)) continue;
    if (parsed->kind == TemporaryKind::fresh || is_in(opened.get(), parsed->name)) {
      remove_in(opened.get(), name);
    } else if (::renameat(opened.get(), name.c_str(), opened.get(), parsed->name.c_str()) != 0) {
      fail_on_file("rename to", folder / parsed->name, errno);
    }
  }
}

}  // namespace weft
