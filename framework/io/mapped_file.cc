#include "framework/io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"

namespace weft {

MappedFile::MappedFile(const std::filesystem::path& file) {
  struct stat status = {};
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool regular = opened >= 0 && ::fstat(opened, &status) == 0 && S_ISREG(status.st_mode);
  if (regular && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, opened, 0);
    if (mapped != MAP_FAILED) {
      mapped_ = mapped;
      bytes_ = {static_cast<const char*>(mapped), size};
    }
  }
  if (opened >= 0) ::close(opened);
  if (mapped_ != nullptr) return;
  read_ = read_file(file);  // says what is wrong where nothing can be read
  bytes_ = read_;
}

MappedFile::~MappedFile() {
  if (mapped_ != nullptr) ::munmap(mapped_, bytes_.size());
}

}  // namespace weft
