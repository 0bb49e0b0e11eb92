// A file as the buffer of a C++ stream, for libraries that read from one.
#pragma once

#include <streambuf>
#include <string>
#include <vector>

#include "framework/io/input_stream.h"
#include "registry/base/export.h"

namespace weft {

// Throws as InputStream, also while it is read from directly.
class WEFT_API InputBuffer : public std::streambuf {
 public:
  explicit InputBuffer(const std::string& file);

 protected:
  int_type underflow() override;

 private:
  InputStream file_;
  std::vector<char> buffer_;
};

}  // namespace weft
