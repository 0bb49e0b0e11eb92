// The bytes of a text file or pipe as a reader wants them: inflated where the ending of the name
// says that they are compressed.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "framework/io/compression.h"
#include "framework/io/decompressor.h"
#include "registry/base/export.h"
#include "registry/base/input_file.h"

namespace weft {

class WEFT_API InputStream {
 public:
  // Throws as InputFile; pipes of all kinds are read.
  explicit InputStream(const std::string& file) : InputStream(file, compression_of(file)) {}
  // By what it holds, whatever its name.
  InputStream(const std::string& file, Compression compression);
  // The bytes that a decompressor makes of a file, which outlives it here.
  InputStream(std::unique_ptr<InputFile> file, std::unique_ptr<Decompressor> decompressor)
      : file_(std::move(file)), decompressor_(std::move(decompressor)) {}

  // The next bytes, at most `size`; 0 at the end. Throws as InputFile and Decompressor.
  std::size_t read(char* to, std::size_t size);

 private:
  std::unique_ptr<InputFile> file_;  // where the decompressor finds it after a move, too
  std::unique_ptr<Decompressor> decompressor_;
};

}  // namespace weft
