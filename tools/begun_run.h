// Whether this command has begun a run in its output folder. A group of ranks that is started again
// goes on with the run that it began, never with one that lay there before.
#pragma once

#include <array>
#include <ctime>
#include <filesystem>

#include <sys/types.h>

namespace weft::tools {

class BegunRun {
 public:
  // Before the first attempt. An empty output: none is written.
  explicit BegunRun(std::filesystem::path output);

  // Whether the manifest, or the checkpoint, is another than then, or the folder was empty then and
  // is not now. A manifest that was taken away and has no successor yet does not count. Without an
  // output always: files of loggers are this command's own then.
  bool has_begun() const;

 private:
  // Files of a run are written beside their names and renamed: another file is a later one.
  struct FileState {
    bool is_there = false;
    dev_t device = 0;
    ino_t inode = 0;
    timespec changed = {};
  };
  static constexpr std::array kFiles = {"run.json", "checkpoint/state.json"};

  static FileState state_of(const std::filesystem::path& file);

  std::filesystem::path output_;
  bool was_empty_;
  std::array<FileState, kFiles.size()> before_;
};

}  // namespace weft::tools
