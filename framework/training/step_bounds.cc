#include "framework/training/step_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/precision/element_type.h"

namespace weft {
namespace {

// More than the roundings of an element's few operations in f32 can add.
constexpr double kArithmetic = 1.0 + 0x1p-20;

// More than being stored in that type can add to a number.
double rounding_of(DType type) {
  if (type == DType::f16) return 1.0 + 0x1p-10;
  return type == DType::bf16 ? 1.0 + 0x1p-7 : 1.0;
}

// A quarter of what the type holds: no sum of two such numbers is beyond it. False for a NaN, too.
bool fits(double bound, DType type = DType::f32) {
  return bound < finite_max(format_of(type)) / 4.0;
}

bool is_share(double number) {
  return number >= 0.0 && number <= 1.0;
}

// The moments after the step, in f32 and as they are stored. False: they may overflow.
// A moment is a mean of its old value and the gradient (or its square), so the bounds mix in the
// same way. No element of a gradient is larger than the norm of the whole.
bool bound_moments(StepBounds& bounds, const StepFacts& facts, double gradient) {
  const StepScalars& s = facts.scalars;
  if (!is_share(s.beta1) || !is_share(s.beta2) || bounds.mom2_may_be_negative) return false;
  const auto mixed = [](double beta, double old, double fresh) {
    return kArithmetic * (beta * old + (1.0 - beta) * fresh);
  };
  const double rounding = rounding_of(facts.moment_type);
  bounds.mom1 = rounding * mixed(s.beta1, bounds.mom1, gradient);
  bounds.mom2 = rounding * rounding * mixed(s.beta2, bounds.mom2, gradient * gradient);
  const bool is_rooted = facts.moment_type != DType::f32;
  return fits(gradient * gradient) && fits(bounds.mom2) && fits(bounds.mom1, facts.moment_type) &&
         (!is_rooted || fits(std::sqrt(bounds.mom2), facts.moment_type));
}

// A bound of a weight's change. Infinite: none.
// Adam divides the first moment by the root of the second plus eps; the root is at least 0, so eps
// alone bounds the quotient.
double longest_move(const StepBounds& after, const StepFacts& facts, double gradient) {
  const StepScalars& s = facts.scalars;
  double direction = gradient;
  if (facts.rule == StepRule::momentum) direction = after.mom1;
  if (facts.rule == StepRule::adam) {
    // The divisor is a root plus eps; an eps that is not normal may count as 0.
    if (!(s.eps >= std::numeric_limits<float>::min())) return StepBounds::unknown;
    direction = after.mom1 / s.eps;
  }
  return fits(direction) ? std::abs(s.learn_rate) * direction : StepBounds::unknown;
}

}  // namespace

std::optional<StepBounds> bounds_after(const StepBounds& before, const StepFacts& facts) {
  const StepScalars& s = facts.scalars;
  StepBounds after = before;
  if (!fits(before.weight) || !fits(facts.gradient_norm)) return {};
  if (!fits(std::abs(s.l2) * before.weight)) return {};
  const double gradient = kArithmetic * std::abs(s.clip) * facts.gradient_norm;
  if (facts.rule != StepRule::sgd && !bound_moments(after, facts, gradient)) return {};
  double weight = kArithmetic * (before.weight + longest_move(after, facts, gradient));
  if (!is_share(s.decay)) weight *= 1.0 + std::abs(s.decay);
  if (!fits(weight)) return {};
  after.weight = rounding_of(facts.weight_type) * weight;
  if (!fits(after.weight, facts.weight_type)) return {};
  if (facts.average_rate == 0.0) return after;
  // Between the old one and the weight, as it is before it is rounded.
  after.average = kArithmetic * std::max(before.average, weight);
  if (!is_share(facts.average_rate) || !fits(after.average)) return {};
  return after;
}

double largest_stored(ConstView numbers, DType type) {
  if (type != DType::f32) {
    Tensor stored = Tensor::zeros({numbers.size()}, type);
    cast_rows({numbers.data, numbers.dtype, stored.shape()}, stored.view());
    return largest_of(stored);
  }
  const float* values = numbers.as<float>();
  float largest = 0.0F;
  bool all_numbers = true;
  for (std::int64_t i = 0; i < numbers.size(); ++i) {
    const float size = std::abs(values[i]);
    all_numbers = all_numbers && size == size;  // a NaN is no maximum
    largest = std::max(largest, size);
  }
  return all_numbers ? static_cast<double>(largest) : StepBounds::unknown;
}

double largest_of(const Tensor& array) {
  if (!array) return 0.0;
  const Tensor wide = cast_to(DType::f32, array);
  return largest_stored(wide, DType::f32);
}

}  // namespace weft
