#include "framework/io/input_stream.h"

namespace weft {

InputStream::InputStream(const std::string& file, Compression compression)
    : file_(std::make_unique<InputFile>(file, Accepts::all_pipes)) {
  if (compression != Compression::none) {
    decompressor_ = Decompressor::open(compression, *file_, file);
  }
}

std::size_t InputStream::read(char* to, std::size_t size) {
  if (size == 0) return 0;  // a decompressor without room would go round for ever
  return decompressor_ ? decompressor_->read(to, size) : file_->read(to, size);
}

}  // namespace weft
