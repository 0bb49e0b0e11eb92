// One update of one parameter array; always in f32. The arithmetic of an element stands here, so
// that every backend computes the same.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "framework/ops/host_device.h"
#include "framework/ops/kernel.h"

namespace weft {

// Scalars of the update of one array. The betas are rounded to f32 and 1 - beta is formed in f32,
// as the reference does; the step size comes from a double.
struct StepScalars {
  float clip = 1.0F;        // factor for the gradient
  float l2 = 0.0F;          // times the weight, added to the gradient before clipping
  float learn_rate = 0.0F;  // with the bias correction, where the rule has one
  float decay = 0.0F;       // times the weight, subtracted after the step
  float beta1 = 0.0F;
  float beta2 = 0.0F;
  float eps = 0.0F;
};

// No branches below: they would keep the loops from being vector code. A zero changes nothing.
WEFT_HOST_DEVICE inline float step_gradient(float weight, float gradient, const StepScalars& s) {
  return s.clip * (gradient + s.l2 * weight);
}

WEFT_HOST_DEVICE inline float decayed(float weight, const StepScalars& s) {
  return weight - s.decay * weight;
}

// Running means of the gradient and of its square.
WEFT_HOST_DEVICE inline void step_moments(float g, float& mom1, float& mom2, const StepScalars& s) {
  mom1 = s.beta1 * mom1 + (1.0F - s.beta1) * g;
  mom2 = s.beta2 * mom2 + (1.0F - s.beta2) * g * g;
}

// Kingma and Ba (2015), "Adam"; eps is not scaled by the bias correction.
WEFT_HOST_DEVICE inline float adam_element(float weight, float gradient, float& mom1, float& mom2,
                                           const StepScalars& s) {
  step_moments(step_gradient(weight, gradient, s), mom1, mom2, s);
  return decayed(weight - s.learn_rate * (mom1 / (std::sqrt(mom2) + s.eps)), s);
}

// As Adam while the variance is not trusted yet: only the first moment moves the weight.
// Liu and others (2020), "On the variance of the adaptive learning rate and beyond".
WEFT_HOST_DEVICE inline float momentum_element(float weight, float gradient, float& mom1,
                                               float& mom2, const StepScalars& s) {
  step_moments(step_gradient(weight, gradient, s), mom1, mom2, s);
  return decayed(weight - s.learn_rate * mom1, s);
}

WEFT_HOST_DEVICE inline float sgd_element(float weight, float gradient, const StepScalars& s) {
  return decayed(weight - s.learn_rate * step_gradient(weight, gradient, s), s);
}

struct AdamStep {
  static constexpr std::string_view name = "adam_step";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, View weights, ConstView gradient, View mom1, View mom2, StepScalars);
};

struct MomentumStep {
  static constexpr std::string_view name = "momentum_step";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, View weights, ConstView gradient, View mom1, View mom2, StepScalars);
};

class FadingSteps;

// Several steps, one after the other, of numbers that have no gradient: to the bytes of AdamStep
// and MomentumStep with gradients of zero. No step has an L2 term in its gradient. `fading`: of
// these steps, of more or of none. Of the host.
struct AdamWithoutGradient {
  static constexpr std::string_view name = "adam_without_gradient";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, View weights, View mom1, View mom2, std::span<const StepScalars> steps,
                  const FadingSteps& fading);
};

struct MomentumWithoutGradient {
  static constexpr std::string_view name = "momentum_without_gradient";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, View weights, View mom1, View mom2, std::span<const StepScalars> steps,
                  const FadingSteps& fading);
};

struct SgdStep {
  static constexpr std::string_view name = "sgd_step";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, View weights, ConstView gradient, StepScalars);
};

// average -= rate * (average - weights)
struct AverageStep {
  static constexpr std::string_view name = "average_step";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, View average, ConstView weights, float rate);
};

// The sum of the squares of (gradient + l2·weights), in double, in a fixed order. NaN or infinite
// where an element is. `result` is one number that the device can write
// (PassMemory::number_to_read).
struct SquaredNorm {
  static constexpr std::string_view name = "squared_norm";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, ConstView gradient, ConstView weights, float l2, double* result);
};

}  // namespace weft
