#include "framework/io/same_file.h"

#include <sys/stat.h>

namespace weft {
namespace fs = std::filesystem;
namespace {

bool is_file(const struct stat& facts) {
  return S_ISREG(facts.st_mode) || S_ISFIFO(facts.st_mode);
}

bool is_same(const fs::path& file, const struct stat& other) {
  struct stat facts {};
  return ::stat(file.c_str(), &facts) == 0 && is_file(facts) && facts.st_ino == other.st_ino &&
         facts.st_dev == other.st_dev;
}

// Whether a file of that name, a link included, stands below the folder, or would.
bool is_below(const fs::path& folder, const fs::path& name) {
  std::error_code unknown;
  const fs::path own = fs::canonical(folder, unknown);
  const fs::path absolute = fs::absolute(name, unknown).lexically_normal();
  const fs::path place = fs::weakly_canonical(absolute.parent_path(), unknown);
  if (unknown) return false;
  const fs::path from_folder = (place / absolute.filename()).lexically_relative(own);
  return !from_folder.empty() && *from_folder.begin() != "..";
}

}  // namespace

bool is_input_itself(const fs::path& input, const fs::path& output) {
  std::error_code unknown;
  const bool is_folder = fs::is_directory(input, unknown);
  if (is_folder && is_below(input, output)) return true;
  struct stat written {};
  if (::stat(output.c_str(), &written) != 0 || !is_file(written)) return false;
  if (!is_folder) return is_same(input, written);
  for (auto entry = fs::recursive_directory_iterator(input, unknown);
       !unknown && entry != fs::end(entry); entry.increment(unknown)) {
    if (is_same(entry->path(), written)) return true;
  }
  return false;
}

}  // namespace weft
