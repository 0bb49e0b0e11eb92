#include "framework/backends/cpu/gemm/dense_backward.h"

#include "framework/backends/cpu/base/scratch_array.h"

namespace weft::cpu {

void DenseBackward::begin_chunk(std::int64_t first, std::int64_t count) {
  first_ = first;
  count_ = count;
  dz_ = {};  // first, so that both are not held at the same time
  dz_ = ScratchArray<float>(ScratchUse::gradients, count * f_.outputs);
}

const float* DenseBackward::spread(std::int64_t first, std::int64_t count, const float* d) {
  float* dz = dz_ + (first - first_) * f_.outputs;
  spread_to_winners(f_, first, count, d, dz);
  return dz;
}

}  // namespace weft::cpu
