// Lines of text files, checked to be UTF-8.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "registry/export.h"

namespace weft {

class WEFT_API TextLines {
 public:
  explicit TextLines(std::vector<std::string> files) : files_(std::move(files)) {}

  // The next line of the next file, without its line break, or nothing at the end. Throws
  // Error(system) for a file that cannot be read, Error(data) with file and line for invalid UTF-8.
  std::optional<std::string> next();

  // Where the line that `next` gave last stands: its file and its number there, from 1.
  const std::string& file() const { return files_[opened_ - 1]; }
  std::int64_t number() const { return number_; }

 private:
  std::vector<std::string> files_;
  std::size_t opened_ = 0;
  std::int64_t number_ = 0;
  std::ifstream stream_;
};

}  // namespace weft
