#include "framework/training/log_file.h"

#include <cerrno>
#include <cstring>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/training/logger.h"
#include "registry/error.h"

namespace weft {

LogFile::LogFile(std::filesystem::path path, Start start) : path_(std::move(path)) {
  open(start == Start::replace ? Growth::anew : Growth::go_on);
}

LogFile::LogFile(std::filesystem::path path, const Node& position) : path_(std::move(path)) {
  const auto* length = std::get_if<std::int64_t>(&position.value());
  if (length == nullptr || *length < 0) {
    throw Error(ErrorKind::data,
                fmt::format("the checkpoint has no valid position in {}", path_.string()));
  }
  open(Growth::go_on);
  complete_ = length_ >= *length;
  if (!complete_) return;
  if (::ftruncate(fd_.get(), *length) != 0) fail("cut off");
  length_ = *length;
}

void LogFile::fail(const char* action) const {
  throw Error(ErrorKind::system,
              fmt::format("cannot {} {}: {}", action, path_.string(), std::strerror(errno)));
}

void LogFile::open(Growth growth) {
  fd_ = open_growing(path_, growth);
  struct stat facts {};
  if (::fstat(fd_.get(), &facts) != 0) fail("read");
  length_ = facts.st_size;
}

void LogFile::write_line(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(fd_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    rest.remove_prefix(static_cast<std::size_t>(written));
    length_ += written;
  }
}

Node LogFile::position() {
  // EINVAL: a pipe or a terminal, which nothing has to be saved for.
  if (::fsync(fd_.get()) != 0 && errno != EINVAL) fail("sync");
  return length_;
}

std::unique_ptr<LogFile> open_log(const std::filesystem::path& path, LogFile::Start start,
                                  const LogSetup& setup) {
  if (setup.resumed == nullptr || setup.resumed->is_null()) {
    return std::make_unique<LogFile>(path, start);
  }
  auto file = std::make_unique<LogFile>(path, *setup.resumed);
  if (!file->complete()) {
    setup.err << fmt::format(
        "warning: {} is shorter than when the state of the run was saved; "
        "the lines that are missing stay missing\n",
        path.string());
  }
  return file;
}

}  // namespace weft
