// Lines of a text file or a pipe, of a bounded length: a file without line breaks that never ends
// is an error once a line is too long.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "registry/base/export.h"
#include "registry/base/input_file.h"

namespace weft {

class WEFT_API InputLines {
 public:
  // Lines of at most `longest` bytes. Throws as InputFile; pipes of all kinds are read.
  InputLines(const std::string& file, std::size_t longest);

  // Puts the next line into `line`, without its line break; false at the end. Throws Error(system),
  // and Error(data) with file and line for one that is too long, behind which there is no other.
  bool next(std::string& line);

  std::int64_t number() const { return number_; }  // of the line that `next` gave last, from 1

 private:
  // Reads the next piece of the file; false at its end.
  bool refill();
  [[noreturn]] void refuse_line();

  std::shared_ptr<const std::string> name_;
  InputFile file_;
  std::size_t longest_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;   // of the part of the buffer that is still to come
  std::size_t end_ = 0;  // behind it
  std::int64_t number_ = 0;
  bool ended_ = false;
};

}  // namespace weft
