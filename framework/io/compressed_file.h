// A file that appears whole or not at all (atomic_file.h), compressed where its name says so.
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>

#include "framework/io/atomic_file.h"
#include "framework/io/compressed_output.h"
#include "framework/io/compression.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API CompressedFile {
 public:
  // By the ending of `target`. Throws Error(system).
  explicit CompressedFile(const std::filesystem::path& target);
  ~CompressedFile();
  CompressedFile(const CompressedFile&) = delete;
  CompressedFile& operator=(const CompressedFile&) = delete;

  std::ostream& stream() { return compressed_ ? compressed_stream_ : file_.stream(); }
  // Puts the file in its place. Throws as AtomicFile::commit.
  void commit();

 private:
  AtomicFile file_;
  std::unique_ptr<CompressedOutput> compressed_;
  std::ostream compressed_stream_;
};

}  // namespace weft
