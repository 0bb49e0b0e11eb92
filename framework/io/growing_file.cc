#include "framework/io/growing_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/construction.h"
#include "framework/io/open_output.h"
#include "framework/io/system_error.h"

namespace weft {
namespace {

constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

}  // namespace

bool is_shared(const struct stat& facts) {
  return S_ISLNK(facts.st_mode) || (S_ISREG(facts.st_mode) && facts.st_nlink > 1);
}

Descriptor open_growing(const std::filesystem::path& file, Growth growth) {
  if (Descriptor direct = open_if_no_file(file)) return direct;
  const Descriptor folder = open_parent(file);
  const std::string name = file.filename().string();
  struct stat facts {};
  const bool is_there = ::fstatat(folder.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
  int flags = kAppend;
  if (growth == Growth::anew) {
    const bool replaced = is_there && is_shared(facts);
    if (replaced) ::unlinkat(folder.get(), name.c_str(), 0);
    flags |= replaced ? O_EXCL : O_TRUNC;
  } else if (is_there && S_ISLNK(facts.st_mode)) {
    throw Error(
        ErrorKind::system,
        fmt::format("cannot write {}: it is a link, which a log does not follow", file.string()));
  }
  Descriptor opened(::openat(folder.get(), name.c_str(), flags, 0666));
  if (!opened) fail_on_file("write", file, errno);
  if (::fstat(opened.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    throw Error(ErrorKind::system,
                fmt::format("cannot write {}: it is no regular file", file.string()));
  }
  return opened;
}

}  // namespace weft
