// How large the numbers of an array can be after a step of the optimizer, told from how large they
// were before it. A step that cannot overflow, as good as every one, is made without looking at
// what it writes; any other is tried on copies first (optimizer_overflow.cc).
#pragma once

#include <limits>
#include <optional>

#include "framework/ops/optimizer_arrays.h"
#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

// No number of the array is larger in absolute value. Infinite: not known.
struct StepBounds {
  static constexpr double unknown = std::numeric_limits<double>::infinity();
  double weight = unknown;
  double mom1 = unknown;
  double mom2 = unknown;  // of the moment itself, where its root is what is kept
  double average = unknown;
  // The root of a negative number is no number, however small.
  bool mom2_may_be_negative = false;
};

struct StepFacts {
  StepRule rule = StepRule::adam;
  StepScalars scalars;
  double gradient_norm = 0.0;  // of the array, with the L2 term, before it is clipped
  double average_rate = 0.0;   // 0: no average is kept
  DType weight_type = DType::f32;
  DType moment_type = DType::f32;  // 16 bits: the root of the second moment is kept
};

// The bounds after the step. Nothing where they do not rule out that a number, or one on the way to
// it, is beyond its format: bounds are no measure, and the step may still be fine.
WEFT_API std::optional<StepBounds> bounds_after(const StepBounds& before, const StepFacts& facts);

// The largest absolute value of an array on the host, of f32, f16 or bf16; infinite where it holds
// a NaN or an infinity. 0 for no array.
WEFT_API double largest_of(const Tensor& array);
// The same for numbers in f32 as they will be once they are stored in that type.
WEFT_API double largest_stored(ConstView numbers, DType type);

}  // namespace weft
