#include "framework/training/log_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/growing_file.h"
#include "framework/io/open_below.h"
#include "framework/training/logger.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"

namespace weft {

namespace {

// A result of `position()`. Checkpoints of earlier versions have no hash, only a number.
struct Position {
  std::int64_t length = -1;
  std::string hash;
};

Position position_in(const Node& node) {
  Position position;
  const Node* length = &node;
  if (node.is_object()) {
    length = node.as_object().find("length");
    const Node* hash = node.as_object().find("sha256");
    if (length == nullptr || hash == nullptr || !hash->is_string()) return {};
    position.hash = hash->as_string();
  }
  const auto* number = std::get_if<std::int64_t>(&length->value());
  if (number != nullptr) position.length = *number;
  return position;
}

}  // namespace

LogFile::LogFile(LogPlace place, Start start) : place_(std::move(place)) {
  open(start == Start::replace ? Growth::anew : Growth::go_on);
  if (!is_regular_) return;
  if (start == Start::fresh && length_ > 0) {
    throw Error(ErrorKind::usage,
                fmt::format("{} exists already; --overwrite replaces it", path().string()));
  }
  if (start == Start::append) {
    take_in(length_);
  } else {
    cut(0);
  }
}

// A checkpoint says how long the log was and what it hashed to. Lines that came later belong to
// steps that are run again; they are cut off only if all before them is the log of that run.
LogFile::LogFile(LogPlace place, const Node& node) : place_(std::move(place)) {
  const Position position = position_in(node);
  if (position.length < 0) {
    throw Error(ErrorKind::data,
                fmt::format("the checkpoint has no valid position in {}", path().string()));
  }
  open(Growth::go_on);
  complete_ = length_ >= position.length;
  is_within_line_ = !complete_ && is_regular_ && ends_within_line();
  take_in(complete_ ? position.length : length_);
  if (!complete_ || (position.hash.empty() && length_ == position.length)) return;
  if (position.hash != written_.str()) {
    throw Error(ErrorKind::data,
                fmt::format("{} is not the log that the run wrote; nothing is cut off of it, move "
                            "it away to go on",
                            path().string()));
  }
  cut(position.length);
}

void LogFile::fail(const char* action) const {
  throw Error(ErrorKind::system,
              fmt::format("cannot {} {}: {}", action, path().string(), std::strerror(errno)));
}

void LogFile::open(Growth growth) {
  const std::filesystem::path below =
      place_.output.empty() ? std::filesystem::path() : path_below(place_.output, path());
  fd_ = below.empty() ? open_growing(path(), growth) : open_below(place_.output, below, growth);
  if (!fd_) fail("write");
  struct stat facts {};
  if (::fstat(fd_.get(), &facts) != 0) fail("read");
  is_regular_ = S_ISREG(facts.st_mode);
  length_ = facts.st_size;
}

bool LogFile::ends_within_line() const {
  if (length_ == 0) return false;
  char last = '\n';
  const InputFile file(path());  // the descriptor is for writing alone
  file.read_at(&last, 1, static_cast<std::uint64_t>(length_ - 1));
  return last != '\n';
}

void LogFile::take_in(std::int64_t length) {
  if (length == 0) return;
  InputFile file(path());  // the descriptor is for writing alone
  std::vector<char> buffer(std::size_t{1} << 16);
  while (length > 0) {
    const auto wanted = std::min(length, static_cast<std::int64_t>(buffer.size()));
    const std::size_t got = file.read(buffer.data(), static_cast<std::size_t>(wanted));
    if (got == 0) {
      throw Error(ErrorKind::system, fmt::format("{} became shorter", path().string()));
    }
    written_.add({buffer.data(), got});
    length -= static_cast<std::int64_t>(got);
  }
}

void LogFile::cut(std::int64_t length) {
  if (length == length_) return;
  if (::ftruncate(fd_.get(), length) != 0) fail("cut off");
  length_ = length;
}

void LogFile::write_line(std::string_view line) {
  // A line that was cut keeps to itself.
  if (std::exchange(is_within_line_, false)) write("\n");
  write(std::string(line) + '\n');
}

void LogFile::write(std::string_view bytes) {
  if (!fd_) {
    const std::int64_t length = length_;
    open(Growth::go_on);
    if (length_ != length) {
      throw Error(ErrorKind::system,
                  fmt::format("{} was changed by another program while the run was going on",
                              path().string()));
    }
  }
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    written_.add(bytes.substr(0, static_cast<std::size_t>(written)));
    bytes.remove_prefix(static_cast<std::size_t>(written));
    length_ += written;
  }
}

void LogFile::rest() {
  sync();
  fd_.reset();
}

// EINVAL: a pipe or a terminal, which nothing has to be saved for.
void LogFile::sync() {
  if (fd_ && ::fsync(fd_.get()) != 0 && errno != EINVAL) fail("sync");
}

// Synced before the checkpoint that holds it: after a power cut the log is never shorter than the
// checkpoint says.
Node LogFile::position() {
  sync();
  Object position;
  position.set("length", length_);
  position.set("sha256", written_.str());
  return position;
}

std::unique_ptr<LogFile> open_log(const std::filesystem::path& path, LogFile::Start start,
                                  const LogSetup& setup) {
  LogPlace place{.path = path, .output = setup.output};
  if (setup.resumed == nullptr || setup.resumed->is_null()) {
    if (start == LogFile::Start::fresh && setup.may_replace) start = LogFile::Start::replace;
    return std::make_unique<LogFile>(std::move(place), start);
  }
  auto file = std::make_unique<LogFile>(std::move(place), *setup.resumed);
  if (!file->complete()) {
    setup.err << fmt::format(
        "warning: {} is shorter than when the state of the run was saved; "
        "the lines that are missing stay missing\n",
        path.string());
  }
  return file;
}

}  // namespace weft
