#include "framework/io/held_folder.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>

#include "framework/io/construction.h"
#include "framework/io/system_error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

fs::path without_slash(const fs::path& folder) {
  return (folder / "inside").lexically_normal().parent_path();
}

}  // namespace

HeldFolder::HeldFolder(const fs::path& folder) : name_(without_slash(folder)) {
  MadeFolders made(folder);
  open_ = Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open_) fail_on_file("open", folder, errno);
  hold(std::move(made));
}

HeldFolder::HeldFolder(const fs::path& folder, Descriptor open, MadeFolders made)
    : name_(without_slash(folder)), open_(std::move(open)) {
  hold(std::move(made));
}

HeldFolder::~HeldFolder() {
  Construction::all().end(name_);
}

void HeldFolder::hold(MadeFolders made) {
  Construction::all().begin(name_, open_.get(), std::move(made), name_,
                            Construction::Sync::of_each_file);
}

}  // namespace weft
