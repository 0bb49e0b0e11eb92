#include "framework/io/atomic_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/file_sink.h"
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
  Descriptor(const fs::path& path, int flags, std::string_view action = "open")
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (fd_ < 0) fail(action, path, errno);
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

void copy_one(const fs::path& from, const fs::path& to) {
  const Descriptor source(from, O_RDONLY);
  const Descriptor target(to, O_WRONLY | O_CREAT | O_TRUNC);
  std::vector<char> buffer(std::size_t{1} << 18);
  while (true) {
    const ssize_t got = ::read(source.get(), buffer.data(), buffer.size());
    if (got == 0) return;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", from, errno);
    write_all(target.get(), {buffer.data(), static_cast<std::size_t>(got)}, to);
  }
}

void rename_to(const fs::path& from, const fs::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail("rename to", to, errno);
}

// The folders that this process has under construction. What is written below one of them is synced
// once, when the folder is finished: a sync for each file costs far more than all at the end.
class Construction {
 public:
  static Construction& all() {
    static Construction construction;
    return construction;
  }
  void begin(const fs::path& folder) {
    const std::lock_guard lock(mutex_);
    folders_.insert(folder.lexically_normal().string());
  }
  void end(const fs::path& folder) {
    const std::lock_guard lock(mutex_);
    folders_.erase(folder.lexically_normal().string());
  }
  bool holds(const fs::path& path) {
    const std::lock_guard lock(mutex_);
    if (folders_.empty()) return false;
    fs::path folder = path.lexically_normal().parent_path();
    while (!folder.empty() && !folders_.contains(folder.string())) {
      if (folder == folder.parent_path()) return false;
      folder = folder.parent_path();
    }
    return !folder.empty();
  }

 private:
  std::mutex mutex_;
  std::set<std::string> folders_;
};

// Two paths change places in one step; false where the file system cannot do that.
bool exchange(const fs::path& one, const fs::path& other) {
  if (::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0)
    return true;
  if (errno == ENOSYS || errno == EINVAL || errno == ENOTSUP) return false;
  fail("replace", other, errno);
}

}  // namespace

void write_file(const fs::path& file, std::string_view bytes) {
  const fs::path temporary = beside(file, "new");
  const bool is_part = Construction::all().holds(file);
  try {
    {
      const Descriptor opened(temporary, O_WRONLY | O_CREAT | O_TRUNC);
      write_all(opened.get(), bytes, file);
      if (!is_part && ::fsync(opened.get()) != 0) fail("sync", file, errno);
    }
    rename_to(temporary, file);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
  if (!is_part) sync(parent_of(file), O_RDONLY | O_DIRECTORY);
}

std::string read_file(const fs::path& file) {
  if (fs::is_directory(file)) fail("read", file, EISDIR);
  const Descriptor opened(file, O_RDONLY, "read");
  std::string bytes;
  struct stat status = {};
  if (::fstat(opened.get(), &status) == 0 && status.st_size > 0) {
    bytes.resize(static_cast<std::size_t>(status.st_size) + 1);  // one more, to meet the end
  }
  for (std::size_t size = 0;;) {
    if (size == bytes.size()) bytes.resize(std::max<std::size_t>(4096, 2 * size));
    const ssize_t got = ::read(opened.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", file, errno);
    if (got == 0) {
      bytes.resize(size);
      return bytes;
    }
    size += static_cast<std::size_t>(got);
  }
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)), stream_(nullptr) {
  path_ = beside(target_, "new");
  sink_ = std::make_unique<FileSink>(path_);
  if (sink_->error() != 0) fail("write", target_, sink_->error());
  stream_.rdbuf(sink_.get());
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!committed_) fs::remove(path_, ignored);
}

void AtomicFile::commit() {
  const bool is_part = Construction::all().holds(target_);
  if (const int error = sink_->close(!is_part)) fail("write", target_, error);
  rename_to(path_, target_);
  committed_ = true;
  if (!is_part) sync(parent_of(target_), O_RDONLY | O_DIRECTORY);
}

void copy_files(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path target = to / fs::relative(entry.path(), from);
    if (entry.is_directory()) {
      std::error_code error;
      fs::create_directories(target, error);
      if (error) fail("create", target, error.value());
    } else {
      copy_one(entry.path(), target);
    }
  }
}

AtomicFolder::AtomicFolder(fs::path target) : target_(std::move(target)), path_() {
  if (!target_.has_filename()) target_ = target_.parent_path();  // a trailing slash
  path_ = beside(target_, "new");
  std::error_code error;
  fs::remove_all(path_, error);
  fs::create_directories(path_, error);
  if (error) fail("create", target_, error.value());
  Construction::all().begin(path_);
  being_built_ = path_;
}

AtomicFolder::~AtomicFolder() {
  Construction::all().end(being_built_);
  std::error_code ignored;
  if (!committed_) fs::remove_all(path_, ignored);
}

void AtomicFolder::sync_all() const {
  if (Construction::all().holds(path_)) return;
  for (const auto& entry : fs::recursive_directory_iterator(path_)) {
    sync(entry.path(), entry.is_directory() ? O_RDONLY | O_DIRECTORY : O_RDONLY);
  }
  sync(path_, O_RDONLY | O_DIRECTORY);
}

bool AtomicFolder::take_place() {
  if (!fs::exists(target_)) {
    rename_to(path_, target_);
    return false;
  }
  if (exchange(path_, target_)) return true;
  const fs::path old = beside(target_, "old");
  rename_to(target_, old);
  try {
    rename_to(path_, target_);
  } catch (...) {
    rename_to(old, target_);
    throw;
  }
  path_ = old;
  return true;
}

void AtomicFolder::commit() {
  sync_all();
  const bool replaced = take_place();
  committed_ = true;
  if (!Construction::all().holds(target_)) sync(parent_of(target_), O_RDONLY | O_DIRECTORY);
  std::error_code ignored;
  if (replaced) fs::remove_all(path_, ignored);
}

void AtomicFolder::commit_and_keep(const fs::path& keep) {
  sync_all();
  const bool replaced = take_place();
  committed_ = true;
  std::error_code ignored;
  if (replaced) {
    fs::remove_all(keep, ignored);
    rename_to(path_, keep);
  }
  sync(parent_of(target_), O_RDONLY | O_DIRECTORY);
}

namespace {

// The name that ".NAME.new-123" or ".NAME.old-123" stands beside; "" for any other.
std::string name_beside(const std::string& name, std::string_view what) {
  const std::size_t mark = name.rfind(fmt::format(".{}-", what));
  if (!name.starts_with('.') || mark == std::string::npos || mark <= 1) return "";
  const std::string number = name.substr(mark + what.size() + 2);
  const bool is_number =
      !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? name.substr(1, mark - 1) : "";
}

}  // namespace

void clear_leftovers(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path());
  for (const fs::path& path : found) {
    const std::string name = path.filename().string();
    const std::string old_of = name_beside(name, "old");
    if (old_of.empty() && name_beside(name, "new").empty()) continue;
    if (!old_of.empty() && !fs::exists(folder / old_of)) {
      rename_to(path, folder / old_of);
      continue;
    }
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
}

}  // namespace weft
