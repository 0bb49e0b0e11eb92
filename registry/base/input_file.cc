#include "registry/base/input_file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace weft {
namespace {

constexpr long kPipeFileSystem = 0x50495045;  // PIPEFS_MAGIC: pipes that have no name
constexpr std::chrono::seconds kLongestWait{5};
// A file of holes takes no room on a disk and all the memory there is when it is read. Small ones
// are let be; real files are stored nearly in full, compressing file systems included.
constexpr std::uint64_t kSmall = std::uint64_t{64} << 20;
constexpr std::uint64_t kLeastShare = 16;
constexpr std::uint64_t kStatBlock = 512;  // bytes in a unit of st_blocks

const char* name_of(mode_t mode) {
  if (S_ISFIFO(mode)) return "a FIFO (named pipe)";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no file";
}

bool has_no_name(int fd) {
  struct statfs system {};
  return ::fstatfs(fd, &system) == 0 && system.f_type == kPipeFileSystem;
}

}  // namespace

bool is_there(const std::filesystem::path& file) {
  struct stat facts {};
  return ::stat(file.c_str(), &facts) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

void require_there(const std::filesystem::path& file) {
  if (is_there(file)) return;
  throw Error(ErrorKind::config, fmt::format("there is no file '{}'", file.string()));
}

void require_regular(const std::filesystem::path& file) {
  static_cast<void>(InputFile(file));
}

InputFile::InputFile(std::filesystem::path file, Accepts accepts, ErrorKind kind)
    : file_(std::move(file)), kind_(kind) {
  fd_ = ::open(file_.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd_ < 0) {
    const int code = errno;
    struct stat facts {};
    // Sockets cannot be opened; the system's reason would name a device.
    const bool is_socket = ::stat(file_.c_str(), &facts) == 0 && S_ISSOCK(facts.st_mode);
    if (is_socket) refuse(fmt::format("is {}, not a regular file", name_of(facts.st_mode)));
    fail(code);
  }
  try {
    check_kind(accepts);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

InputFile::~InputFile() {
  if (fd_ >= 0) ::close(fd_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : file_(std::move(other.file_)),
      kind_(other.kind_),
      fd_(std::exchange(other.fd_, -1)),
      is_regular_(other.is_regular_),
      size_(other.size_),
      ahead_(other.ahead_) {}

void InputFile::check_kind(Accepts accepts) {
  struct stat facts {};
  if (::fstat(fd_, &facts) != 0) fail(errno);
  if (S_ISDIR(facts.st_mode)) fail(EISDIR);
  is_regular_ = S_ISREG(facts.st_mode);
  if (is_regular_) {
    size_ = static_cast<std::uint64_t>(facts.st_size);
    const std::uint64_t stored = static_cast<std::uint64_t>(facts.st_blocks) * kStatBlock;
    if (size_ > kSmall && stored < size_ / kLeastShare) refuse_holes();
    return;
  }
  const bool is_named_pipe = S_ISFIFO(facts.st_mode) && !has_no_name(fd_);
  if (accepts == Accepts::regular_files || (is_named_pipe && accepts != Accepts::all_pipes)) {
    refuse(fmt::format("is {}, not a regular file", name_of(facts.st_mode)));
  }
  if (is_named_pipe) wait_for_writer();
  const int flags = ::fcntl(fd_, F_GETFL);
  if (flags < 0 || ::fcntl(fd_, F_SETFL, flags & ~O_NONBLOCK) != 0) fail(errno);
}

// Some file systems count no blocks; they know of no holes either, which is asked here.
void InputFile::refuse_holes() const {
  const off_t hole = ::lseek(fd_, 0, SEEK_HOLE);
  if (::lseek(fd_, 0, SEEK_SET) != 0) fail(errno);
  if (hole < 0 || static_cast<std::uint64_t>(hole) >= size_) return;
  refuse(fmt::format("is said to hold {} bytes, but nearly all of them are holes", size_));
}

// A FIFO without a writer reads as one that has ended, so that reading would not wait for the
// first. The system reports the end (POLLHUP) only after there was a writer.
void InputFile::wait_for_writer() {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (true) {
    pollfd waiting{fd_, POLLIN, 0};
    if (::poll(&waiting, 1, 10) > 0) return;
    char first = 0;
    const ssize_t got = ::read(fd_, &first, 1);
    if (got > 0) ahead_ = first;
    // A writer who has written nothing yet; without any it would be the end.
    if (got > 0 || (got < 0 && errno == EAGAIN)) return;
    if (got < 0 && errno != EINTR) fail(errno);
    if (std::chrono::steady_clock::now() > end) refuse("is a FIFO that nobody writes to");
  }
}

void InputFile::refuse(const std::string& what) const {
  throw Error(kind_ == ErrorKind::system ? ErrorKind::data : kind_,
              fmt::format("{} {}", file_.string(), what));
}

void InputFile::fail(int code) const {
  throw Error(kind_, fmt::format("cannot read {}: {}", file_.string(), std::strerror(code)));
}

std::size_t InputFile::read(char* to, std::size_t size) {
  if (ahead_ && size > 0) {
    *to = *std::exchange(ahead_, std::nullopt);
    return 1;
  }
  while (true) {
    const ssize_t got = ::read(fd_, to, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(errno);
  }
}

std::size_t InputFile::read_at(char* to, std::size_t size, std::uint64_t offset) const {
  while (true) {
    const ssize_t got = ::pread(fd_, to, size, static_cast<off_t>(offset));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(errno);
  }
}

void InputFile::refuse_more_than(std::uint64_t most) const {
  if (size_ > most) refuse(fmt::format("holds {} bytes; at most {} are read", size_, most));
}

std::string InputFile::read_all(std::uint64_t most) {
  refuse_more_than(most);
  std::string bytes;
  if (size_ > 0) bytes.resize(size_ + 1);  // one more, to meet the end
  for (std::size_t size = 0;;) {
    if (size > most) refuse(fmt::format("holds more than {} bytes", most));
    if (size == bytes.size()) bytes.resize(std::max<std::size_t>(4096, 2 * size));
    const std::size_t got = read(bytes.data() + size, bytes.size() - size);
    if (got == 0) {
      bytes.resize(size);
      return bytes;
    }
    size += got;
  }
}

}  // namespace weft
