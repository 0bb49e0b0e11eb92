#include "framework/io/atomic_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "registry/error.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(std::string_view action, const fs::path& path, int code) {
  throw Error(ErrorKind::system,
              fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(code)));
}

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (fd_ < 0) fail("open", path, errno);
  }
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

void sync(const fs::path& path, int flags) {
  const Descriptor opened(path, flags);
  // Some file systems cannot sync a folder and say EINVAL; there is nothing more to do then.
  if (::fsync(opened.get()) != 0 && errno != EINVAL) fail("sync", path, errno);
}

fs::path parent_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

fs::path beside(const fs::path& path, std::string_view what) {
  return parent_of(path) / fmt::format(".{}.{}-{}", path.filename().string(), what, ::getpid());
}

void write_all(int fd, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void rename_to(const fs::path& from, const fs::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail("rename to", to, errno);
}

}  // namespace

void write_file(const fs::path& file, std::string_view bytes) {
  const fs::path temporary = beside(file, "new");
  try {
    {
      const Descriptor opened(temporary, O_WRONLY | O_CREAT | O_TRUNC);
      write_all(opened.get(), bytes, file);
      if (::fsync(opened.get()) != 0) fail("sync", file, errno);
    }
    rename_to(temporary, file);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
  sync(parent_of(file), O_RDONLY | O_DIRECTORY);
}

std::string read_file(const fs::path& file) {
  if (fs::is_directory(file)) fail("read", file, EISDIR);
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail("read", file, errno != 0 ? errno : ENOENT);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) fail("read", file, EIO);
  return bytes;
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  path_ = beside(target_, "new");
  errno = 0;
  stream_.open(path_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail("write", target_, errno != 0 ? errno : EIO);
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!committed_) fs::remove(path_, ignored);
}

void AtomicFile::commit() {
  errno = 0;
  stream_.close();
  if (!stream_) fail("write", target_, errno != 0 ? errno : EIO);
  sync(path_, O_RDONLY);
  rename_to(path_, target_);
  committed_ = true;
  sync(parent_of(target_), O_RDONLY | O_DIRECTORY);
}

AtomicFolder::AtomicFolder(fs::path target) : target_(std::move(target)), path_() {
  if (!target_.has_filename()) target_ = target_.parent_path();  // a trailing slash
  path_ = beside(target_, "new");
  std::error_code error;
  fs::remove_all(path_, error);
  fs::create_directories(path_, error);
  if (error) fail("create", target_, error.value());
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  if (!committed_) fs::remove_all(path_, ignored);
}

void AtomicFolder::commit() {
  for (const auto& entry : fs::recursive_directory_iterator(path_)) {
    sync(entry.path(), entry.is_directory() ? O_RDONLY | O_DIRECTORY : O_RDONLY);
  }
  sync(path_, O_RDONLY | O_DIRECTORY);
  const fs::path old = beside(target_, "old");
  const bool replaces = fs::exists(target_);
  if (replaces) rename_to(target_, old);
  try {
    rename_to(path_, target_);
  } catch (...) {
    if (replaces) rename_to(old, target_);
    throw;
  }
  committed_ = true;
  sync(parent_of(target_), O_RDONLY | O_DIRECTORY);
  std::error_code ignored;
  fs::remove_all(old, ignored);
}

}  // namespace weft
