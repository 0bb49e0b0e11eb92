#include "framework/io/open_output.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/folder_tree.h"
#include "framework/io/system_error.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kLongestWait{5};
constexpr int kMostLinks = 8;  // /dev/stdout needs two

[[noreturn]] void refuse(const fs::path& target, const char* what) {
  throw Error(ErrorKind::system, fmt::format("cannot write {}: it is {}", target.string(), what));
}

Descriptor open_fifo(const fs::path& target) {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (true) {
    Descriptor fifo(::open(target.c_str(), O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    if (fifo) {
      const int flags = ::fcntl(fifo.get(), F_GETFL);
      if (flags < 0 || ::fcntl(fifo.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) {
        fail_on_file("write", target, errno);
      }
      return fifo;
    }
    if (errno != ENXIO) fail_on_file("write", target, errno);  // ENXIO: nobody reads from it
    if (std::chrono::steady_clock::now() > end) refuse(target, "a FIFO that nobody reads from");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// The N of "/proc/PID/fd/N", which the folder part of a name in /dev/fd or /proc/self/fd leads to.
std::optional<int> own_descriptor(const fs::path& folder, const std::string& name) {
  if (folder != "/proc/" + std::to_string(::getpid()) + "/fd") return std::nullopt;
  int number = -1;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  if (read.ec != std::errc() || read.ptr != name.data() + name.size()) return std::nullopt;
  return number;
}

Descriptor open_followed(const fs::path& target, const fs::path& shown_as, int links) {
  struct stat facts {};
  if (::lstat(target.c_str(), &facts) != 0) {
    // A link of /dev to a descriptor that is closed. A file must not take the link's place.
    if (links > 0) fail_on_file("write", shown_as, EBADF);
    return {};
  }
  if (S_ISDIR(facts.st_mode)) fail_on_file("write", shown_as, EISDIR);
  if (S_ISSOCK(facts.st_mode)) refuse(shown_as, "a socket");
  if (S_ISBLK(facts.st_mode)) refuse(shown_as, "a disk");
  if (S_ISFIFO(facts.st_mode)) return open_fifo(target);
  if (S_ISCHR(facts.st_mode)) {
    Descriptor device(::open(target.c_str(), O_WRONLY | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
    if (!device) fail_on_file("write", shown_as, errno);
    return device;
  }
  if (!S_ISLNK(facts.st_mode) || links == kMostLinks) return {};
  std::error_code unknown;
  const fs::path folder = fs::canonical(parent_of(target), unknown);
  if (unknown) return {};
  if (const auto number = own_descriptor(folder, target.filename().string())) {
    Descriptor same(::fcntl(*number, F_DUPFD_CLOEXEC, 0));
    if (!same) fail_on_file("write", shown_as, errno);
    return same;
  }
  if (folder != "/dev") return {};
  const fs::path next = fs::read_symlink(target, unknown);
  return unknown ? Descriptor() : open_followed(folder / next, shown_as, links + 1);
}

}  // namespace

Descriptor open_if_no_file(const fs::path& target) {
  return open_followed(target, target, 0);
}

}  // namespace weft
