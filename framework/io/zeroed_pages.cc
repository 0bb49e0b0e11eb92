#include "framework/io/zeroed_pages.h"

#include <algorithm>
#include <cstring>
#include <string>

#include <sys/mman.h>

#include "framework/tensor/large_pages.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// A mapping is never empty.
std::size_t mapped_size(std::size_t size) {
  return std::max<std::size_t>(size, 1);
}

}  // namespace

ZeroedPages::ZeroedPages(std::size_t size)
    : data_(map_large_pages(mapped_size(size))), size_(size) {
  if (data_ == nullptr) {
    throw Error(ErrorKind::memory, "no memory for " + std::to_string(size) + " bytes");
  }
}

ZeroedPages::~ZeroedPages() {
  unmap_large_pages(data_, mapped_size(size_));
}

void ZeroedPages::clear() {
  // The system gives private pages back as zeros; by hand where it will not.
  if (::madvise(data_, mapped_size(size_), MADV_DONTNEED) != 0) std::memset(data_, 0, size_);
}

}  // namespace weft
