// Some blocks of arrays with one dimension side by side, so that an op goes over them alone. For
// the optimizer's own sources alone.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/nn/row_gradient.h"
#include "framework/tensor/view.h"

namespace weft {

class GatheredBlocks {
 public:
  std::vector<std::int32_t> blocks;  // their numbers: blocks of kRowGradientBlock elements
  std::vector<float> weights, gradient, mom1, mom2, average;

  // Copies those of an array, of which `from` has the blocks from `first` on.
  View gather(std::vector<float>& to, const float* from, std::int32_t first = 0) const;
  // Those of a gradient in f32, to `gradient`; zeros where it has none. Null: it has none at all.
  View gather_gradient(const RowGradient* rows);
  void scatter(const std::vector<float>& from, float* to, std::int32_t first = 0) const;

 private:
  std::vector<std::int32_t> places_;  // scratch
};

}  // namespace weft
