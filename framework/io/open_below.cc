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

}  // namespace

fs::path path_below(const fs::path& folder, const fs::path& path) {
  const fs::path top = fs::absolute(folder).lexically_normal();
  const fs::path relative = fs::absolute(path).lexically_normal().lexically_relative(
      top.has_filename() ? top : top.parent_path());
  const bool leaves = relative.empty() || relative == "." || *relative.begin() == "..";
  return leaves ? fs::path() : relative;
}

Descriptor open_below(const fs::path& folder, const fs::path& name, Growth growth) {
  const fs::path shown = folder / name;
  Descriptor at(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!at) refuse(folder, std::strerror(errno));
  for (auto step = name.begin(); std::next(step) != name.end(); ++step) {
    if (::mkdirat(at.get(), step->c_str(), 0777) != 0 && errno != EEXIST) refuse(shown, reason());
    Descriptor next = open_folder_in(at.get(), *step);
    if (!next) refuse(shown, reason());
    at = std::move(next);
  }
  const fs::path last = name.filename();
  struct stat facts {};
  const bool is_there = ::fstatat(at.get(), last.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
  if (growth == Growth::anew && is_there && is_shared(facts)) {
    ::unlinkat(at.get(), last.c_str(), 0);
  }
  // Not blocking: to open a pipe would wait for whoever reads it.
  Descriptor file(::openat(at.get(), last.c_str(),
                           O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                           0666));
  if (!file || ::fstat(file.get(), &facts) != 0) refuse(shown, reason());
  if (!S_ISREG(facts.st_mode)) refuse(shown, "it is no regular file");
  if (facts.st_nlink > 1) refuse(shown, "it is the same file as another one");
  return file;
}

}  // namespace weft
