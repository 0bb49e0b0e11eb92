// The bytes of a file where they lie, without a copy: for files that are read once and are large.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "framework/io/file_limits.h"
#include "registry/base/export.h"

namespace weft {

// Files of a pipeline are replaced as a whole and never written in place, so a mapped file stays
// as it was. A file that the system cannot map is read.
class WEFT_API MappedFile {
 public:
  // A regular file of at most `most` bytes. Throws Error(system) with the file and the system's
  // reason, Error(data) for a file that is larger and for what is no regular file.
  explicit MappedFile(const std::filesystem::path& file, std::uint64_t most = kMostArrayBytes);
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
