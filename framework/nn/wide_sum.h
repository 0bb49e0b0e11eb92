// Sums of gradients, in f32 whatever the format in which they are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/ops/elementwise.h"
#include "framework/ops/kernel.h"
#include "framework/precision/element_type.h"

namespace weft {

// By the kernel that is built for each instruction set.
inline void add_numbers(float* to, const float* from, std::int64_t count) {
  Stream host;
  kernel_of<AddInPlace>(DeviceKind::cpu)(host, View(to, DType::f32, {1, count}),
                                         ConstView(from, DType::f32, {1, count}));
}

inline void multiply_numbers(View values, float factor) {
  float* value = values.as<float>();
  for (std::int64_t i = 0; i < values.size(); ++i) value[i] *= factor;
}

// Adds arrays of one shape in f32; a sum that is kept in 16 bits is rounded once.
class WideSum {
 public:
  explicit WideSum(View to) : to_(to) {
    if (to.dtype != DType::f32) widen(to, wide_);
  }
  void add(ConstView from) {
    float* sum = wide_.empty() ? to_.as<float>() : wide_.data();
    if (from.dtype != DType::f32) from = widen(from, scratch_);
    add_numbers(sum, from.as<float>(), from.size());
  }
  void store() const {
    if (!wide_.empty()) cast_rows(ConstView(wide_.data(), DType::f32, to_.shape), to_);
  }

 private:
  static ConstView widen(ConstView from, std::vector<float>& to) {
    to.resize(static_cast<std::size_t>(from.size()));
    cast_rows(from, View(to.data(), DType::f32, from.shape));
    return {to.data(), DType::f32, from.shape};
  }

  View to_;
  std::vector<float> wide_, scratch_;
};

}  // namespace weft
