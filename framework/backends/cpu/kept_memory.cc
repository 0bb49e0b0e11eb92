#include "framework/backends/cpu/kept_memory.h"

#include "framework/tensor/storage.h"

namespace weft::cpu {

void* kept_memory(Kept purpose, std::size_t bytes) {
  thread_local Storage kept[static_cast<std::size_t>(Kept::sums) + 1];
  Storage& memory = kept[static_cast<std::size_t>(purpose)];
  if (memory.bytes < bytes) {
    memory = {};  // first, so that both are not there at the same time
    memory = HostAllocator().allocate(bytes);
  }
  return memory.data;
}

}  // namespace weft::cpu
