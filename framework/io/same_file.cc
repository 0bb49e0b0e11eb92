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

}  // namespace

bool is_input_itself(const fs::path& input, const fs::path& output) {
  struct stat written {};
  if (::stat(output.c_str(), &written) != 0 || !is_file(written)) return false;
  std::error_code unknown;
  if (!fs::is_directory(input, unknown)) return is_same(input, written);
  for (auto entry = fs::recursive_directory_iterator(input, unknown);
       !unknown && entry != fs::end(entry); entry.increment(unknown)) {
    if (is_same(entry->path(), written)) return true;
  }
  return false;
}

}  // namespace weft
