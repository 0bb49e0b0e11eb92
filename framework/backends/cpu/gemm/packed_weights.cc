#include "framework/backends/cpu/gemm/packed_weights.h"

#include <cstddef>

#include "framework/backends/cpu/kept_memory.h"
#include "framework/ops/packed_weights.h"

namespace weft::cpu {

const void* packed_weights(const Factor& weights, const Packing& packing,
                           const WorkSharing& sharing) {
  const PackedWeights::Pack pack = [&](void* to) {
    sharing.run(packing.parts, [&](std::size_t i) {
      packing.pack(static_cast<std::int64_t>(i), static_cast<std::byte*>(to) + i * packing.bytes);
    });
  };
  if (sharing.packed != nullptr) {
    return sharing.packed->find(
        {weights.data, weights.depth_contiguous, weights.lines, weights.depth}, packing.size(),
        pack);
  }
  void* own = kept_memory(Kept::right, packing.size());
  pack(own);
  return own;
}

}  // namespace weft::cpu
