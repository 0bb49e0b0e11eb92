// The optimizer's passes over all arrays of a step at once, on a device: one that looks at the
// gradients, and one that changes the weights. Each reads a gradient once, and neither writes one.
// Source: docs/precision.md, "Order of a step"; the rules of an element are in optimizer_step.h.
#pragma once

#include <cstdint>
#include <span>

#include "framework/ops/optimizer_step.h"
#include "framework/tensor/dtype.h"

namespace weft {

// A gradient as it is read: f32 in memory, every number rounded to `type` and then multiplied.
struct GradientElements {
  const float* data = nullptr;  // null: zeros
  DType type = DType::f32;      // f32, f16 or bf16
  float factor = 1.0F;
};

// Pointers lead to the memory of the device; `type` is f32, f16 or bf16.
struct NormArray {
  GradientElements gradient;
  const void* weights = nullptr;  // not read where l2 is 0
  DType weight_type = DType::f32;
  float l2 = 0.0F;
  std::int64_t count = 0;
};

enum class StepRule : std::uint8_t { adam, momentum, sgd };

struct StepArray {
  StepRule rule = StepRule::adam;
  StepScalars scalars;
  GradientElements gradient;
  void* weights = nullptr;
  void* mom1 = nullptr;      // of `moment_type`, as is mom2; neither is read by sgd
  void* mom2 = nullptr;      // in 16 bits: its root
  float* average = nullptr;  // null: none; of what the weight is before it is rounded
  DType weight_type = DType::f32;
  DType moment_type = DType::f32;
  float average_rate = 0.0F;
  std::int64_t count = 0;
};

// For each array the sum of the squares of (gradient + l2·weights), in double, in a fixed order. A
// NaN or an infinity among those terms, of gradients once they are rounded, shows in the sum, and
// nothing else does: squares of finite f32 do not overflow there. As many numbers as arrays, where
// the device can write them; the arrays are listed on the host.
struct GradientNorms {
  static constexpr std::string_view name = "gradient_norms";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, std::span<const NormArray> arrays, double* squares);
};

// One update of every array: unscaled, clipped, by its rule, then the average. No two arrays
// overlap; the arrays are listed on the host.
struct StepArrays {
  static constexpr std::string_view name = "step_arrays";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, std::span<const StepArray> arrays);
};

// State of the update of one weight, as f32.
struct WeightStep {
  float weight = 0.0F;
  float mom1 = 0.0F;
  float mom2 = 0.0F;
  float average = 0.0F;
};

WEFT_HOST_DEVICE inline float ruled(StepRule rule, const StepScalars& scalars, float gradient,
                                    WeightStep& n) {
  if (rule == StepRule::sgd) return sgd_element(n.weight, gradient, scalars);
  if (rule == StepRule::adam) {
    return adam_element(n.weight, gradient, n.mom1, n.mom2, scalars);
  }
  return momentum_element(n.weight, gradient, n.mom1, n.mom2, scalars);
}

// `gradient` is rounded and multiplied.
WEFT_HOST_DEVICE inline void step_element(const StepArray& array, float gradient, WeightStep& n) {
  const bool rooted = array.moment_type != DType::f32;
  if (rooted) n.mom2 *= n.mom2;
  n.weight = ruled(array.rule, array.scalars, gradient, n);
  if (rooted) n.mom2 = std::sqrt(n.mom2);
  n.average -= array.average_rate * (n.average - n.weight);
}

}  // namespace weft
