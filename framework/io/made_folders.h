// The folders around an output, which a command that fails does not leave behind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/io/descriptor.h"
#include "registry/base/export.h"

namespace weft {

// Makes a folder and those that it is in, where they are missing. At its end those that it made
// and that are still empty are removed again: with an output in it a folder stays.
class WEFT_API MadeFolders {
 public:
  MadeFolders() = default;
  // Nothing for an empty path. Throws Error(system).
  explicit MadeFolders(const std::filesystem::path& folder);
  ~MadeFolders();
  MadeFolders(MadeFolders&&) = default;
  MadeFolders& operator=(MadeFolders&&) = delete;

 private:
  struct Made {
    Descriptor around;
    std::string name;
  };
  std::vector<Made> made_;
};

}  // namespace weft
