#include "framework/io/made_folders.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/system_error.h"

namespace weft {
namespace {

Descriptor open_in(int around, const char* name) {
  return Descriptor(::openat(around, name, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

// Another constructor has finished before the first folder is made: what is made before an error is
// removed as well.
MadeFolders::MadeFolders(const std::filesystem::path& folder) : MadeFolders() {
  Descriptor at = open_in(AT_FDCWD, ".");
  for (const std::filesystem::path& part : folder) {
    if (!at) break;
    if (part.empty()) continue;  // a trailing slash
    Descriptor next = open_in(at.get(), part.c_str());
    if (!next && errno == ENOENT) {
      made_.reserve(made_.size() + 1);
      Made made{Descriptor(::dup(at.get())), part.string()};
      const bool is_new = ::mkdirat(at.get(), part.c_str(), 0777) == 0;
      if (!is_new && errno != EEXIST) fail_on_file("create", folder, errno);
      if (is_new) made_.push_back(std::move(made));
      next = open_in(at.get(), part.c_str());
    }
    at = std::move(next);
  }
  if (!at) fail_on_file("create", folder, errno);
}

// The innermost first. A folder that is in use by now is not empty, and stays.
MadeFolders::~MadeFolders() {
  while (!made_.empty()) {
    ::unlinkat(made_.back().around.get(), made_.back().name.c_str(), AT_REMOVEDIR);
    made_.pop_back();
  }
}

}  // namespace weft
