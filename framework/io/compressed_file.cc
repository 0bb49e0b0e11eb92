#include "framework/io/compressed_file.h"

namespace weft {

CompressedFile::CompressedFile(const std::filesystem::path& target)
    : file_(target), compressed_stream_(nullptr) {
  const Compression compression = compression_of(target.native());
  if (compression == Compression::none) return;
  compressed_ = std::make_unique<CompressedOutput>(compression, file_.stream());
  compressed_stream_.rdbuf(compressed_.get());
}

CompressedFile::~CompressedFile() = default;

void CompressedFile::commit() {
  if (compressed_) compressed_->finish();
  file_.commit();
}

}  // namespace weft
