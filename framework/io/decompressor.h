// The content of a compressed file, read forward: gzip (RFC 1952), zstd (RFC 8878) and xz, each
// with several members or frames one after the other.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "framework/io/compression.h"
#include "registry/base/export.h"
#include "registry/base/input_file.h"

namespace weft {

// The memory of each is bounded whatever the file says: a window of zstd and the decoder of xz may
// take what a ReadBudget allows for the file, gzip takes 32 KiB.
class WEFT_API Decompressor {
 public:
  // `file` outlives it; `name` is for messages. Not for Compression::none.
  static std::unique_ptr<Decompressor> open(Compression compression, InputFile& file,
                                            const std::string& name);
  virtual ~Decompressor() = default;

  // The next bytes, at most `size`; 0 at the end. Throws Error(data), placed in the file, where it
  // is damaged, cut off, or needs more memory than that; as InputFile while it is read.
  virtual std::size_t read(char* to, std::size_t size) = 0;
};

}  // namespace weft
