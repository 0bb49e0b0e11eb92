#include "framework/io/open_below.h"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/construction.h"
#include "framework/io/file_sink.h"
#include "framework/io/folder_tree.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw Error(ErrorKind::system, fmt::format("cannot write {}: {}", path.string(), why));
}

std::string reason() {
  if (errno == ELOOP || errno == ENOTDIR) return "it leads through a link or a file";
  return errno == ENXIO ? "it is a pipe or a device" : std::strerror(errno);
}

// By its descriptor where it is one that this process writes.
Descriptor open_root(const fs::path& folder) {
  constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const auto place = Construction::all().find(folder / "inside");
  if (place && !place->rest.has_parent_path()) {
    return Descriptor(::openat(place->folder, ".", kFolder));
  }
  return Descriptor(::open(folder.c_str(), kFolder));
}

// The folder that `name` lies in, which is made where it is missing.
// Each step is taken from the descriptor of the one before and never through a link. A check of the
// whole path beforehand would leave time to plant one in between.
Descriptor make_parent_below(const fs::path& folder, const fs::path& name) {
  Descriptor at = open_root(folder);
  if (!at) refuse(folder, std::strerror(errno));
  for (auto step = name.begin(); std::next(step) != name.end(); ++step) {
    if (::mkdirat(at.get(), step->c_str(), 0777) != 0 && errno != EEXIST) {
      refuse(folder / name, reason());
    }
    Descriptor next = open_folder_in(at.get(), *step);
    if (!next) refuse(folder / name, reason());
    at = std::move(next);
  }
  return at;
}

// The same where it is there; empty where it is not.
Descriptor open_parent_below(const fs::path& folder, const fs::path& name) {
  Descriptor at = open_root(folder);
  for (auto step = name.begin(); at && std::next(step) != name.end(); ++step) {
    at = open_folder_in(at.get(), *step);
  }
  return at;
}

}  // namespace

fs::path path_below(const fs::path& folder, const fs::path& path) {
  const fs::path top = fs::absolute(folder).lexically_normal();
  const fs::path relative = fs::absolute(path).lexically_normal().lexically_relative(
      top.has_filename() ? top : top.parent_path());
  // By the names alone: a link on the way is met, and refused, when the file is opened.
  const bool leaves = relative.empty() || relative == "." || *relative.begin() == "..";
  return leaves ? fs::path() : relative;
}

Descriptor open_below(const fs::path& folder, const fs::path& name, Growth growth) {
  const fs::path shown = folder / name;
  const Descriptor at = make_parent_below(folder, name);
  const fs::path last = name.filename();
  struct stat facts {};
  const bool is_there = ::fstatat(at.get(), last.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
  if (growth == Growth::anew && is_there && is_shared(facts)) {
    ::unlinkat(at.get(), last.c_str(), 0);
  }
  // Not blocking: to open a pipe would wait for its reader.
  Descriptor file(::openat(at.get(), last.c_str(),
                           O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                           0666));
  if (!file || ::fstat(file.get(), &facts) != 0) refuse(shown, reason());
  if (!S_ISREG(facts.st_mode)) refuse(shown, "it is no regular file");
  // A second name of the same file may lie anywhere, and writing here would change that file as
  // well.
  if (facts.st_nlink > 1) refuse(shown, "it is the same file as another one");
  return file;
}

void replace_below(const fs::path& folder, const fs::path& name, std::string_view bytes) {
  const fs::path shown = folder / name;
  const Descriptor at = make_parent_below(folder, name);
  const std::string last = name.filename().string();
  const std::string beside = last + ".new";
  ::unlinkat(at.get(), beside.c_str(), 0);  // of a process that was killed
  Descriptor file(::openat(at.get(), beside.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file) refuse(shown, reason());
  if (const int code = write_all(file.get(), bytes)) refuse(shown, std::strerror(code));
  // Contents, rename, folder: in this order a crash leaves the old bytes or the new ones, whole.
  if (::fsync(file.get()) != 0 ||
      ::renameat(at.get(), beside.c_str(), at.get(), last.c_str()) != 0) {
    refuse(shown, std::strerror(errno));
  }
  if (const int code = sync_folder(at.get())) refuse(shown, std::strerror(code));
}

void make_folder_below(const fs::path& folder, const fs::path& name) {
  static_cast<void>(make_parent_below(folder, name / "inside"));
}

void keep_only_below(const fs::path& folder, const fs::path& name,
                     const std::set<std::string>& kept) {
  const Descriptor parent = open_parent_below(folder, name);
  const Descriptor at = parent ? open_folder_in(parent.get(), name.filename()) : Descriptor();
  if (!at) return;
  for (const std::string& file : names_in(at.get(), folder / name)) {
    struct stat facts {};
    const bool is_file = ::fstatat(at.get(), file.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
                         S_ISREG(facts.st_mode);
    if (!is_file || kept.contains(file)) continue;
    if (::unlinkat(at.get(), file.c_str(), 0) != 0) {
      refuse(folder / name / file, std::strerror(errno));
    }
  }
}

bool exists_below(const fs::path& folder, const fs::path& name) {
  const Descriptor at = open_parent_below(folder, name);
  struct stat facts {};
  return at && ::fstatat(at.get(), name.filename().c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

}  // namespace weft
