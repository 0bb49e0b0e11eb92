// Slices of the arrays that an optimizer works on, on the CPU; for its own sources alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "framework/precision/element_type.h"
#include "framework/training/optimizer_plan.h"

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

// A slice and all that is kept of it stay in the second cache from the rule to the average.
struct Optimizer::Slice {
  const Planned* of;
  std::int64_t begin, count;

  static constexpr std::int64_t kElements = 1 << 14;

  // Whole rows of a table, so that gradients kept by rows fall into slices.
  static void cut(const Planned& planned, std::vector<Slice>& slices) {
    const View array = planned.named->parameter->value.view();
    const std::int64_t width = array.cols();
    const std::int64_t step = std::max<std::int64_t>(1, kElements / width) * width;
    for (std::int64_t at = 0; at < array.size(); at += step) {
      slices.push_back({&planned, at, std::min(step, array.size() - at)});
    }
  }
  ArrayElements part(const Tensor& tensor) const { return {tensor, begin, count}; }
  double squares(Context& ctx) const;
};

// What a step reads and writes of a slice.
struct Optimizer::SliceNumbers {
  ArrayElements weights, mom1, mom2, average;

  SliceNumbers(const Slice& slice, ArrayElements::Access access)
      : SliceNumbers(slice, *slice.of->state, access) {}
  // In f32 none of it does anything: the arrays' own numbers were changed.
  void store() {
    mom1.store();
    mom2.store();
    weights.store();
  }
  StepBounds largest() {
    const double root = mom2.largest();
    const bool is_rooted = mom2_type != DType::f32;
    return {weights.largest(), mom1.largest(), is_rooted ? root * root : root, average.largest()};
  }

 private:
  SliceNumbers(const Slice& slice, const OptimizerState& state, ArrayElements::Access access)
      : weights(slice.of->named->parameter->value, slice.begin, slice.count, access),
        mom1(state.mom1, slice.begin, slice.count, access),
        mom2(state.mom2, slice.begin, slice.count, access),
        average(state.average, slice.begin, slice.count, access),
        mom2_type(state.mom2.dtype()) {}

  DType mom2_type;
};

}  // namespace weft
