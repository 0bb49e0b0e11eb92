// A folder that several files are written into, one after another.
#pragma once

#include <filesystem>

#include "framework/io/descriptor.h"
#include "framework/io/made_folders.h"
#include "registry/base/export.h"

namespace weft {

// While it lives, files that this process writes below the folder are reached from its descriptor
// and not through links: another user who may change the folder's name, or the names in it, cannot
// turn them elsewhere. A link under the folder's own name is followed once, at the beginning.
class WEFT_API HeldFolder {
 public:
  // Makes the folder where it is missing; at the end it is removed again if it is still empty then.
  // Throws Error(system).
  explicit HeldFolder(const std::filesystem::path& folder);
  // Of one that is open already, with the folders that were made for it.
  HeldFolder(const std::filesystem::path& folder, Descriptor open, MadeFolders made);
  ~HeldFolder();
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

  int descriptor() const { return open_.get(); }

 private:
  void hold(MadeFolders made);

  std::filesystem::path name_;  // as in the paths of what lies in it
  Descriptor open_;
};

}  // namespace weft
