// Where a stream's bytes go to a file, keeping the system's reason when they cannot: std::ofstream
// says only that something failed.
#pragma once

#include <filesystem>
#include <streambuf>
#include <vector>

#include "registry/export.h"

namespace weft {

class WEFT_API FileSink : public std::streambuf {
 public:
  // Creates the file, or empties the one that is there.
  explicit FileSink(const std::filesystem::path& file);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  // The errno of the first failure, of opening included; 0 if there was none.
  int error() const { return error_; }
  // Writes what is buffered and, if asked, has it put on the disk. Gives error().
  int close(bool sync_to_disk);

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  bool write_buffered();

  int fd_ = -1;
  int error_ = 0;
  std::vector<char> buffer_;
};

}  // namespace weft
