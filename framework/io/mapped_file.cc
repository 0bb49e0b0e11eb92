#include "framework/io/mapped_file.h"

#include <sys/mman.h>

#include "registry/base/input_file.h"

namespace weft {

MappedFile::MappedFile(const std::filesystem::path& file, std::uint64_t most) {
  InputFile opened(file);
  opened.refuse_more_than(most);
  if (opened.size() > 0) {
    void* mapped = ::mmap(nullptr, opened.size(), PROT_READ, MAP_PRIVATE | MAP_POPULATE,
                          opened.descriptor(), 0);
    if (mapped != MAP_FAILED) {
      mapped_ = mapped;
      bytes_ = {static_cast<const char*>(mapped), opened.size()};
      return;
    }
  }
  read_ = opened.read_all(most);
  bytes_ = read_;
}

MappedFile::~MappedFile() {
  if (mapped_ != nullptr) ::munmap(mapped_, bytes_.size());
}

}  // namespace weft
