// For LD_PRELOAD, with the C library of GNU: writes down what a program does to files, in its
// order, to the file that WEFT_TRACE_FILE names. A line for each call that succeeded, its parts
// between tabs:
//
//   write PATH     some bytes of the file were written or cut off
//   sync PATH      the file or folder was synced
//   rename A B     A has the name B now
//   exchange A B   they changed places
//   remove PATH
//
// Paths are absolute and without links, as the system knows them at that moment.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

void tell(const std::string& line) {
  static const int file = [] {
    const char* name = std::getenv("WEFT_TRACE_FILE");
    if (name == nullptr) return -1;
    return ::open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  }();
  const std::string whole = line + '\n';
  if (file >= 0) ::syscall(SYS_write, file, whole.data(), whole.size());
}

std::string path_of(int descriptor) {
  char path[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
  return size < 0 ? "" : std::string(path, static_cast<std::size_t>(size));
}

// The folder is resolved and the last part is not: it may be a link, or not be there.
std::string path_of(int folder, const char* name) {
  std::string path = name;
  if (path.front() != '/') {
    char here[PATH_MAX];
    const bool is_here = folder == AT_FDCWD;
    path = (is_here ? std::string(::getcwd(here, sizeof here)) : path_of(folder)) + "/" + path;
  }
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const std::size_t last = path.rfind('/');
  char real[PATH_MAX];
  const char* above = ::realpath(path.substr(0, last + 1).c_str(), real);
  if (above == nullptr) return path;
  const std::string parent = above;
  return (parent == "/" ? "" : parent) + path.substr(last);
}

// Files alone: bytes for a terminal or a pipe are nobody's data.
void tell_written(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
  tell("write\t" + path_of(descriptor));
}

int moved(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  const std::string source = path_of(from_folder, from), target = path_of(to_folder, to);
  const long result = ::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
  if (result == 0) {
    tell(((flags & RENAME_EXCHANGE) != 0 ? "exchange\t" : "rename\t") + source + "\t" + target);
  }
  return static_cast<int>(result);
}

int removed(int folder, const char* name, int flags) {
  const std::string path = path_of(folder, name);
  const long result = ::syscall(SYS_unlinkat, folder, name, flags);
  if (result == 0) tell("remove\t" + path);
  return static_cast<int>(result);
}

int synced(int descriptor, long number) {
  const long result = ::syscall(number, descriptor);
  if (result == 0) tell("sync\t" + path_of(descriptor));
  return static_cast<int>(result);
}

}  // namespace

EXPORT ssize_t write(int file, const void* bytes, std::size_t count) {
  const ssize_t written = ::syscall(SYS_write, file, bytes, count);
  if (written > 0) tell_written(file);
  return written;
}

EXPORT ssize_t writev(int file, const iovec* parts, int count) {
  const ssize_t written = ::syscall(SYS_writev, file, parts, count);
  if (written > 0) tell_written(file);
  return written;
}

EXPORT ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t at) {
  const ssize_t written = ::syscall(SYS_pwrite64, file, bytes, count, at);
  if (written > 0) tell_written(file);
  return written;
}

EXPORT ssize_t pwrite64(int file, const void* bytes, std::size_t count, off_t at) {
  return pwrite(file, bytes, count, at);
}

EXPORT int ftruncate(int file, off_t length) {
  const long result = ::syscall(SYS_ftruncate, file, length);
  if (result == 0) tell_written(file);
  return static_cast<int>(result);
}

EXPORT int fsync(int file) {
  return synced(file, SYS_fsync);
}
EXPORT int fdatasync(int file) {
  return synced(file, SYS_fdatasync);
}

EXPORT int rename(const char* from, const char* to) {
  return moved(AT_FDCWD, from, AT_FDCWD, to, 0);
}
EXPORT int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  return moved(from_folder, from, to_folder, to, 0);
}
EXPORT int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                     unsigned flags) {
  return moved(from_folder, from, to_folder, to, flags);
}

EXPORT int unlink(const char* name) {
  return removed(AT_FDCWD, name, 0);
}
EXPORT int rmdir(const char* name) {
  return removed(AT_FDCWD, name, AT_REMOVEDIR);
}
EXPORT int unlinkat(int folder, const char* name, int flags) {
  return removed(folder, name, flags);
}
EXPORT int remove(const char* name) {
  struct stat status {};
  const bool is_folder = ::lstat(name, &status) == 0 && S_ISDIR(status.st_mode);
  return removed(AT_FDCWD, name, is_folder ? AT_REMOVEDIR : 0);
}
