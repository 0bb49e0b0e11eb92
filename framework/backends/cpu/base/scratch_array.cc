#include "framework/backends/cpu/base/scratch_array.h"

#include <array>
#include <utility>

namespace weft::cpu {
namespace {

using Pool = ObjectPool<Storage>;
template <class T>
using ByUse = std::array<T, static_cast<std::size_t>(ScratchUse::sums) + 1>;

// Never destroyed: threads may still compute while the process ends.
Pool& pool_of(ScratchUse use) {
  static auto& pools = *new ByUse<Pool>();
  return pools[static_cast<std::size_t>(use)];
}

// The block that this thread left last, if it is not in use. Goes to the pool with the thread.
Pool::Lease& left_here(ScratchUse use) {
  static thread_local ByUse<Pool::Lease> blocks;
  return blocks[static_cast<std::size_t>(use)];
}

Pool::Lease take(ScratchUse use) {
  Pool::Lease& own = left_here(use);
  if (!own) own = Pool::Lease(pool_of(use));
  return std::move(own);
}

}  // namespace

ScratchMemory::ScratchMemory(ScratchUse use, std::size_t bytes) : use_(use), block_(take(use)) {
  if (block_->bytes >= bytes) return;
  *block_ = {};  // first, so that both are not there at the same time
  *block_ = HostAllocator().allocate(bytes);
}

ScratchMemory::~ScratchMemory() {
  if (!block_) return;
  Pool::Lease& own = left_here(use_);
  if (!own) own = std::move(block_);
}

ScratchMemory& ScratchMemory::operator=(ScratchMemory&& other) noexcept {
  std::swap(use_, other.use_);
  std::swap(block_, other.block_);
  return *this;
}

}  // namespace weft::cpu
