// A part of an array for the rule of an optimizer, whatever the format in which it is kept.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/precision/element_type.h"
#include "framework/tensor/tensor.h"
#include "framework/training/parameter_step.h"
#include "framework/training/step_bounds.h"

namespace weft {

// Elements [begin, begin + count) of an array as f32: the array's own, or a copy that `store`
// rounds back.
class ArrayElements {
 public:
  enum class Access { in_place, copy };

  ArrayElements(const Tensor& array, std::int64_t begin, std::int64_t count,
                Access access = Access::in_place) {
    if (!array) return;
    kept_ = {const_cast<void*>(elements(array.cview(), begin, count).data), array.dtype(), {count}};
    if (array.dtype() == DType::f32 && access == Access::in_place) return;
    wide_.resize(static_cast<std::size_t>(count));
    cast_rows(kept_, view());
  }
  View view() { return wide_.empty() ? kept_ : View(wide_.data(), DType::f32, kept_.shape); }
  void store() {
    if (!wide_.empty()) cast_rows(view(), kept_);
  }
  // For second moments, which are kept as their roots in 16 bits.
  void square() {
    if (is_low(kept_.dtype)) apply([](float value) { return value * value; });
  }
  void take_root() {
    if (is_low(kept_.dtype)) apply([](float value) { return std::sqrt(value); });
  }
  // See largest_stored; 0 where there is no array.
  double largest() { return kept_.data == nullptr ? 0.0 : largest_stored(view(), kept_.dtype); }

 private:
  template <class Change>
  void apply(Change change) {
    std::transform(wide_.begin(), wide_.end(), wide_.begin(), change);
  }

  View kept_;
  std::vector<float> wide_;
};

}  // namespace weft
