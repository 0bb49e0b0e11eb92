// The bytes of a file where they lie, without a copy: for files that are read once and are large.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "registry/export.h"

namespace weft {

// Files of a pipeline are replaced as a whole and never written in place, so what is mapped stays
// as it was. Pipes and the like are read.
class WEFT_API MappedFile {
 public:
  // Throws Error(system) with the file and the system's reason.
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  void* mapped_ = nullptr;
  std::string read_;  // where it could not be mapped
  std::string_view bytes_;
};

}  // namespace weft
