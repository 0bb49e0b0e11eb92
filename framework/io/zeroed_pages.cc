#include "framework/io/zeroed_pages.h"

#include <cstdint>
#include <cstring>
#include <string>

#include <sys/mman.h>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

}  // namespace

ZeroedPages::ZeroedPages(std::size_t size) : size_(size) {
  const bool large = size >= kLargePage;
  const std::size_t room = large ? kLargePage : 1;  // the mapping is never empty
  mapped_size_ = size > SIZE_MAX - room ? SIZE_MAX : size + room;
  mapped_ =
      ::mmap(nullptr, mapped_size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED) {
    throw Error(ErrorKind::memory, "no memory for " + std::to_string(size) + " bytes");
  }
  data_ = mapped_;
  if (!large) return;
  const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
  data_ = static_cast<char*>(mapped_) + (kLargePage - address % kLargePage) % kLargePage;
  ::madvise(data_, size, MADV_HUGEPAGE);  // a wish: without it the pages are small
}

ZeroedPages::~ZeroedPages() {
  ::munmap(mapped_, mapped_size_);
}

void ZeroedPages::clear() {
  // The system gives private pages back as zeros; by hand where it will not.
  if (::madvise(mapped_, mapped_size_, MADV_DONTNEED) != 0) std::memset(data_, 0, size_);
}

}  // namespace weft
