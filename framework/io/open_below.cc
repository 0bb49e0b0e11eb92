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

#include "registry/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  void become(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

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

int open_below(const fs::path& folder, const fs::path& name) {
  const fs::path shown = folder / name;
  Descriptor at(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (at.get() < 0) refuse(folder, std::strerror(errno));
  for (auto step = name.begin(); std::next(step) != name.end(); ++step) {
    if (::mkdirat(at.get(), step->c_str(), 0777) != 0 && errno != EEXIST) refuse(shown, reason());
    const int next =
        ::openat(at.get(), step->c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0) refuse(shown, reason());
    at.become(next);
  }
  // Not blocking: to open a pipe would wait for whoever reads it.
  Descriptor file(::openat(at.get(), name.filename().c_str(),
                           O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                           0666));
  if (file.get() < 0) refuse(shown, reason());
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) refuse(shown, std::strerror(errno));
  if (!S_ISREG(facts.st_mode)) refuse(shown, "it is no regular file");
  if (facts.st_nlink > 1) refuse(shown, "it is the same file as another one");
  return file.release();
}

}  // namespace weft
