#include "framework/io/output_file.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include "framework/io/construction.h"
#include "framework/io/file_sink.h"
#include "framework/io/folder_tree.h"
#include "framework/io/open_output.h"
#include "framework/io/system_error.h"
#include "framework/io/temporary_name.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr int kCreate = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
constexpr int kNameless = O_WRONLY | O_TMPFILE | O_CLOEXEC;

// By which an open file is found again, where /proc is there.
std::string path_of(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path target) : target_(std::move(target)) {
  name_ = target_.filename().string();
  if (name_.empty()) fail_on_file("write", target_, EISDIR);
  if (!Construction::all().holds(target_)) file_ = open_if_no_file(target_);
  if (!file_) create();
}

void OutputFile::create() {
  folder_ = open_parent(target_);
  // A part of a folder under construction goes with the folder.
  is_nameless_ = !Construction::all().holds(target_) && create_nameless();
  if (!is_nameless_) create_named();
}

bool OutputFile::create_nameless() {
  file_ = Descriptor(::openat(folder_.get(), ".", kNameless, 0666));
  return file_ && ::access(path_of(file_.get()).c_str(), F_OK) == 0;
}

void OutputFile::create_named() {
  do {
    temporary_ = temporary_name(name_, TemporaryKind::fresh);
    file_ = Descriptor(::openat(folder_.get(), temporary_.c_str(), kCreate, 0666));
  } while (!file_ && errno == EEXIST);
  if (file_) return;
  temporary_.clear();
  fail_on_file("write", target_, errno);
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlinkat(folder_.get(), temporary_.c_str(), 0);
}

// A name that exists is not replaced by a link, only by a rename from another one.
void OutputFile::give_name() {
  const std::string path = path_of(file_.get());
  int failed = 0;
  do {
    temporary_ = temporary_name(name_, TemporaryKind::fresh);
    failed = ::linkat(AT_FDCWD, path.c_str(), folder_.get(), temporary_.c_str(), AT_SYMLINK_FOLLOW);
  } while (failed != 0 && errno == EEXIST);
  if (failed == 0) return;
  temporary_.clear();
  fail_on_file("write", target_, errno);
}

// The file is known by its descriptor and renamed by its name; both must still be the same.
void OutputFile::check_own() {
  if (is_named(file_.get(), folder_.get(), temporary_)) return;
  temporary_.clear();  // it is not ours any more
  throw Error(ErrorKind::system,
              fmt::format("cannot write {}: the file was deleted or replaced while it was written",
                          target_.string()));
}

// The order is that of atomic_folder.cc: contents on the disk, then the rename, then the folder
// that holds the name. A part of a folder under construction skips both syncs.
void OutputFile::commit() {
  const bool is_part = Construction::all().holds(target_);
  const bool is_direct = temporary_.empty() && !is_nameless_;
  if (!is_direct && !is_nameless_) check_own();
  if (!is_part && !is_direct && ::fsync(file_.get()) != 0) fail_on_file("sync", target_, errno);
  if (is_nameless_) give_name();
  // Network file systems report a full disk here.
  if (!file_.reset()) fail_on_file("write", target_, errno);
  if (is_direct) return;
  if (::renameat(folder_.get(), temporary_.c_str(), folder_.get(), name_.c_str()) != 0) {
    fail_on_file("rename to", target_, errno);
  }
  temporary_.clear();
  if (is_part) return;
  if (const int code = sync_folder(folder_.get())) fail_on_file("sync", target_, code);
}

}  // namespace weft
