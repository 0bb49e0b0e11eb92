// A file as the buffer of a C++ stream, for libraries that read from one.
#pragma once

#include <streambuf>
#include <string>
#include <vector>

#include "registry/base/export.h"
#include "registry/base/input_file.h"

namespace weft {

// Throws as InputFile, also while it is read from directly; pipes of all kinds are read.
class WEFT_API InputBuffer : public std::streambuf {
 public:
  explicit InputBuffer(const std::string& file);

 protected:
  int_type underflow() override;

 private:
  InputFile file_;
  std::vector<char> buffer_;
};

}  // namespace weft
