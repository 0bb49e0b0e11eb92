#include "framework/backends/cpu/base/scratch_array.h"

#include <array>

namespace weft::cpu {
namespace {

using Pool = ObjectPool<Storage>;

// Never destroyed: threads may still compute while the process ends.
Pool& pool_of(ScratchUse use) {
  static auto& pools = *new std::array<Pool, static_cast<std::size_t>(ScratchUse::sums) + 1>();
  return pools[static_cast<std::size_t>(use)];
}

}  // namespace

ScratchMemory::ScratchMemory(ScratchUse use, std::size_t bytes) : block_(pool_of(use)) {
  if (block_->bytes >= bytes) return;
  *block_ = {};  // first, so that both are not there at the same time
  *block_ = HostAllocator().allocate(bytes);
}

}  // namespace weft::cpu
