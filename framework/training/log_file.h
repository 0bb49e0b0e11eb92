// A file of lines that grows while a run is logged, and that a resumed run takes up where it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "framework/io/growing_file.h"
#include "registry/config.h"
#include "registry/export.h"

namespace weft {

class WEFT_API LogFile {
 public:
  enum class Start { replace, append };

  // Opens the file for a fresh run. A link in its place is replaced, not followed. Throws
  // Error(system) if it cannot be written.
  LogFile(std::filesystem::path path, Start start);
  // Takes it up again at `position`, which an earlier `position()` gave: what was written since is
  // cut off. A file that is gone or shorter than that goes on as it is; `complete()` is false then.
  // Throws Error(system) if it cannot be written or is a link, Error(data) for a position that is
  // none.
  LogFile(std::filesystem::path path, const Node& position);

  // Appends the line and a line break. Throws Error(system), for instance where the disk is full.
  void write_line(std::string_view line);
  // The length so far, all of it safe on the disk. Throws Error(system).
  Node position();
  bool complete() const { return complete_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  void open(Growth growth);
  [[noreturn]] void fail(const char* action) const;

  std::filesystem::path path_;
  Descriptor fd_;
  std::int64_t length_ = 0;
  bool complete_ = true;
};

struct LogSetup;

// The file of a fresh run, or of a resumed one taken up where it was; says on `setup.err` if what
// was logged before is gone.
WEFT_API std::unique_ptr<LogFile> open_log(const std::filesystem::path& path, LogFile::Start start,
                                           const LogSetup& setup);

}  // namespace weft
