#include "tools/begun_run.h"

#include <utility>

#include <sys/stat.h>

#include "tools/setup.h"

namespace weft::tools {

BegunRun::BegunRun(std::filesystem::path output)
    : output_(std::move(output)), was_empty_(!has_content(output_)) {
  for (std::size_t i = 0; i < kFiles.size(); ++i) before_[i] = state_of(output_ / kFiles[i]);
}

bool BegunRun::has_begun() const {
  if (output_.empty()) return true;
  if (was_empty_) return has_content(output_);
  for (std::size_t i = 0; i < kFiles.size(); ++i) {
    const FileState now = state_of(output_ / kFiles[i]);
    const FileState& before = before_[i];
    const bool is_same = before.is_there && before.device == now.device &&
                         before.inode == now.inode && before.changed.tv_sec == now.changed.tv_sec &&
                         before.changed.tv_nsec == now.changed.tv_nsec;
    if (now.is_there && !is_same) return true;
  }
  return false;
}

BegunRun::FileState BegunRun::state_of(const std::filesystem::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0) return {};
  return {true, facts.st_dev, facts.st_ino, facts.st_mtim};
}

}  // namespace weft::tools
