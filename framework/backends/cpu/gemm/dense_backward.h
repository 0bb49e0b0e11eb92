// Backward passes that compute with the zeros of pieces that did not win: dz of a whole chunk is
// kept for the gradient of w.
#pragma once

#include <cstdint>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/layer_gemms.h"

namespace weft::cpu {

class DenseBackward : public BackwardGemms {
 public:
  void begin_chunk(std::int64_t first, std::int64_t count) override;

 protected:
  explicit DenseBackward(const LayerFactors& factors) : f_(factors) {}

  // dz of rows of the chunk, written.
  const float* spread(std::int64_t first, std::int64_t count, const float* d);

  LayerFactors f_;
  // Of the chunk.
  std::int64_t first_ = 0, count_ = 0;
  ScratchArray<float> dz_;
};

}  // namespace weft::cpu
