// A file of lines that grows while a run is logged, and that a resumed run takes up where it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "framework/io/growing_file.h"
#include "registry/base/export.h"
#include "registry/base/sha256.h"
#include "registry/value/config.h"

namespace weft {

// Where a log lies. Below `output`, where that is not empty, no link is followed.
struct LogPlace {
  std::filesystem::path path;
  std::filesystem::path output = {};
};

class WEFT_API LogFile {
 public:
  enum class Start {
    replace,  // the old contents go
    append,   // the old contents stay
    fresh,    // Error(usage) where something is there
  };

  // Opens the file for a fresh run. Throws Error(system) if it cannot be written.
  LogFile(LogPlace place, Start start);
  // Takes it up again at `position`, which an earlier `position()` gave: later lines are cut off,
  // once those before are known to be the log of that run. A file that is gone or shorter
  // than that goes on as it is; `complete()` is false then. Throws Error(system) if it cannot be
  // written, Error(data) for a position that is none and for a file that another one wrote.
  LogFile(LogPlace place, const Node& position);
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  // Appends the line and a line break. Throws Error(system), for instance where the disk is full.
  void write_line(std::string_view line);
  // Appends the bytes. Throws as write_line.
  void write(std::string_view bytes);
  // Puts what was written on the disk and closes the file until the next `write`: for logs of more
  // files than a process may have open. Throws Error(system).
  void rest();
  // The length so far and a hash of all that, {"length", "sha256"}; it is safe on the disk. Throws
  // Error(system).
  Node position();
  bool complete() const { return complete_; }
  std::int64_t length() const { return length_; }
  const std::filesystem::path& path() const { return place_.path; }

 private:
  void open(Growth growth);
  bool ends_within_line() const;
  // Adds the first `length` bytes of the file to the hash.
  void take_in(std::int64_t length);
  void cut(std::int64_t length);
  void sync();
  [[noreturn]] void fail(const char* action) const;

  LogPlace place_;
  Descriptor fd_;
  std::int64_t length_ = 0;
  bool is_regular_ = false;
  bool complete_ = true;
  bool is_within_line_ = false;  // another program cut the last line
  Sha256 written_;
};

struct LogSetup;

// The file of a fresh run, or of a resumed one taken up where it was; says on `setup.err` if
// earlier lines are gone.
WEFT_API std::unique_ptr<LogFile> open_log(const std::filesystem::path& path, LogFile::Start start,
                                           const LogSetup& setup);

}  // namespace weft
