// Memory for large tables that is zero at first and costs nothing until it is touched.
#pragma once

#include <cstddef>

#include "registry/base/export.h"

namespace weft {

// Asks for pages of 2 MiB, where the system has them on request: a table that is read at random
// places then needs few entries of the processor's address cache, and is there after few faults.
class WEFT_API ZeroedPages {
 public:
  // `size` bytes. Throws Error(memory) where there is no room for them.
  explicit ZeroedPages(std::size_t size);
  ~ZeroedPages();
  ZeroedPages(const ZeroedPages&) = delete;
  ZeroedPages& operator=(const ZeroedPages&) = delete;

  void* data() { return data_; }
  const void* data() const { return data_; }
  std::size_t size() const { return size_; }

  // All bytes become zero again.
  void clear();

 private:
  void* data_;
  std::size_t size_;
};

}  // namespace weft
