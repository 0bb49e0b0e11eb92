// A folder that a logger fills with files of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "framework/training/log_file.h"
#include "framework/training/logger.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API LogFolder {
 public:
  // `folder` lies below the run's output, or the command line named it. No link is followed below
  // the former of the two that applies. Throws Error(usage) for an empty name, Error(system).
  LogFolder(std::filesystem::path folder, const LogSetup& setup);

  const std::filesystem::path& path() const { return folder_; }
  // The file of a fresh run, or that of a resumed one taken up at `position`; see open_log. `name`
  // is relative.
  std::unique_ptr<LogFile> open(const std::filesystem::path& name, LogFile::Start start,
                                const Node* position) const;
  // A file of frames, each of which needs those before it: one that is shorter than it was is
  // Error(data).
  std::unique_ptr<LogFile> open_frames(const std::filesystem::path& name,
                                       const Node* position) const;
  // Writes a file that nothing is added to later, without a sync.
  void put(const std::filesystem::path& name, std::string_view bytes) const;
  // Removes the files of the folder `name` but those that are named. Where the command line named
  // this folder, which others may share, nothing is removed.
  void keep_only(const std::filesystem::path& name, const std::set<std::string>& kept) const;
  // As replace_below, make_folder_below and exists_below.
  void replace(const std::filesystem::path& name, std::string_view bytes) const;
  void make(const std::filesystem::path& name) const;
  bool has(const std::filesystem::path& name) const;

 private:
  std::filesystem::path folder_;  // as it is shown
  std::filesystem::path root_;    // links are followed up to here
  std::filesystem::path below_;   // of `folder_` in `root_`, "" if they are the same
  LogSetup setup_;
};

// The value at `key` of a node that a checkpoint holds; null where it is none of that kind.
WEFT_API const Node* value_at(const Node* node, std::string_view key);
WEFT_API std::string text_at(const Node* node, std::string_view key);
WEFT_API std::int64_t count_at(const Node* node, std::string_view key);

// Throws Error(data): the checkpoint holds nothing that a logger could go on from.
[[noreturn]] WEFT_API void fail_position(const std::string& what);

// Seconds since 1970.
WEFT_API double seconds_now();

}  // namespace weft
