#include "framework/backends/cpu/packed_weights.h"

#include "framework/backends/cpu/kept_memory.h"

namespace weft::cpu {

struct PackedWeights::Entry {
  std::mutex mutex;
  void* memory = nullptr;  // null until they are packed
};

PackedWeights::PackedWeights() = default;
PackedWeights::~PackedWeights() = default;

void PackedWeights::forget() {
  entries_.clear();
  memory_.reset();
}

void* PackedWeights::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  return memory_.allocate(bytes).data;
}

const void* PackedWeights::find(const Factor& weights, std::size_t bytes, const Pack& pack) {
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    auto& found = entries_[{weights.data, weights.depth_contiguous, weights.lines, weights.depth}];
    if (!found) found = std::make_unique<Entry>();
    entry = found.get();
  }
  const std::lock_guard lock(entry->mutex);
  if (entry->memory == nullptr) {
    void* memory = allocate(bytes);
    pack(memory);
    entry->memory = memory;
  }
  return entry->memory;
}

const void* packed_weights(const Factor& weights, const Packing& packing,
                           const WorkSharing& sharing) {
  const PackedWeights::Pack pack = [&](void* to) {
    sharing.run(packing.parts, [&](std::size_t i) {
      packing.pack(static_cast<std::int64_t>(i), static_cast<std::byte*>(to) + i * packing.bytes);
    });
  };
  if (sharing.packed != nullptr) return sharing.packed->find(weights, packing.size(), pack);
  void* own = kept_memory(Kept::right, packing.size());
  pack(own);
  return own;
}

}  // namespace weft::cpu
