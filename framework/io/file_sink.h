// Where a stream's bytes go to a file, keeping the system's reason when they cannot: std::ofstream
// says only that something failed.
#pragma once

#include <streambuf>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// Writes all of `bytes` to a descriptor; gives 0 or an errno.
WEFT_API int write_all(int fd, std::string_view bytes);
// Makes the names in a folder last; gives 0 or an errno. File systems that cannot do so have
// nothing more to offer, and count as done.
WEFT_API int sync_folder(int fd);

class WEFT_API FileSink : public std::streambuf {
 public:
  // Writes to the descriptor, which outlives the sink.
  explicit FileSink(int fd);

  // The errno of the first failure; 0 if there was none.
  int error() const { return error_; }
  // Writes what is buffered. Gives error().
  int flush();

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  int fd_;
  int error_ = 0;
  std::vector<char> buffer_;
};

}  // namespace weft
