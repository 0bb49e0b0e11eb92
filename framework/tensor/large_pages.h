// Memory of the host for arrays that are read whole, in pages of 2 MiB where the system has them on
// request (transparent huge pages of Linux). A step of an optimizer passes over all weights and
// moments: in pages of 4 KiB a part of its time, up to half in a virtual machine, which looks up
// each address twice, goes into the addresses of pages (docs/benchmarks/history.md).
#pragma once

#include <cstddef>
#include <memory>

#include "registry/base/export.h"

namespace weft {

inline constexpr std::size_t kLargePage = std::size_t{2} << 20;

// Of an array that is worth the search for a place.
inline constexpr std::size_t kSmallestInLargePages = std::size_t{64} << 10;

// `bytes` bytes, straight from the system, zeros, at the start of a large page; null where it gives
// none. They go back by `unmap_large_pages` with the same number.
WEFT_API void* map_large_pages(std::size_t bytes);
WEFT_API void unmap_large_pages(void* data, std::size_t bytes);

// A piece of large pages that many arrays share, aligned to 64, contents undefined; it is taken
// back with its last owner. Null where the system gives no memory, and in builds with
// AddressSanitizer, which watches the edges of each array by itself. By any thread.
WEFT_API std::shared_ptr<void> piece_of_large_pages(std::size_t bytes);

// Moves the pages of the heap together into large ones, where the system can (Linux 6.1): once many
// small objects are there that are then read in no order, like the examples of a training. Else
// nothing happens. Takes about a millisecond for each large page.
WEFT_API void enlarge_heap_pages();

}  // namespace weft
