#include "framework/backends/cpu/gemm/packed_weights.h"

#include <cstddef>
#include <utility>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/ops/packed_weights.h"

namespace weft::cpu {

PackedFactor packed_weights(const Factor& weights, const Packing& packing,
                            const WorkSharing& sharing) {
  const PackedWeights::Pack pack = [&](void* to) {
    sharing.run(packing.parts, [&](std::size_t i) {
      packing.pack(static_cast<std::int64_t>(i), static_cast<std::byte*>(to) + i * packing.bytes);
    });
  };
  if (sharing.packed != nullptr) {
    return {
        sharing.packed->find({weights.data, weights.depth_contiguous, weights.lines, weights.depth},
                             packing.size(), pack)};
  }
  ScratchMemory own(ScratchUse::right, packing.size());
  pack(own.data());
  const void* data = own.data();
  return {data, std::move(own)};
}

}  // namespace weft::cpu
