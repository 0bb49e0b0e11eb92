#include "framework/ops/optimizer_step.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "framework/backends/cpu/base/clones.h"
#include "framework/ops/fading_steps.h"

namespace weft {
namespace {

// The arithmetic of one weight stands in `adam_element` and its like, which the CPU and the devices
// share; these loops only make vector code of it. Weights are independent of each other, so slices
// of an array may be stepped on different threads.
WEFT_CPU_CLONES
void adam_step(Stream&, View weights, ConstView gradient, View mom1, View mom2, StepScalars s) {
  auto* w = weights.as<float>();
  const auto* g = gradient.as<float>();
  auto* m1 = mom1.as<float>();
  auto* m2 = mom2.as<float>();
  const std::int64_t size = weights.size();
  for (std::int64_t i = 0; i < size; ++i) w[i] = adam_element(w[i], g[i], m1[i], m2[i], s);
}

WEFT_CPU_CLONES
void momentum_step(Stream&, View weights, ConstView gradient, View mom1, View mom2, StepScalars s) {
  auto* w = weights.as<float>();
  const auto* g = gradient.as<float>();
  auto* m1 = mom1.as<float>();
  auto* m2 = mom2.as<float>();
  const std::int64_t size = weights.size();
  for (std::int64_t i = 0; i < size; ++i) {
    w[i] = momentum_element(w[i], g[i], m1[i], m2[i], s);
  }
}

// ---- several steps without a gradient: numbers stay in the first cache meanwhile

// Numbers that stand still together or not at all.
constexpr std::int64_t kTile = 32;

[[gnu::always_inline]] inline bool tile_fades(const float* w, const float* m1, const float* m2,
                                              const FadingSteps& fading) {
  int moved = fading.fade() ? 0 : 1;
  for (std::int64_t i = 0; i < kTile; ++i) moved += fading.leaves(w[i], m1[i], m2[i]) ? 0 : 1;
  return moved == 0;
}

// The steps of numbers that Adam does not move any more: their weights only decay. No root and no
// division, which are most of a step's time.
[[gnu::always_inline]] inline void fade_tile(float* w, float* m1, float* m2,
                                             std::span<const StepScalars> steps) {
  using Eight [[gnu::vector_size(32)]] = float;
  constexpr int kParts = 4;
  Eight weights[kParts], first[kParts], second[kParts];
  static_assert(sizeof weights == kTile * sizeof(float));
  std::memcpy(weights, w, sizeof weights);
  std::memcpy(first, m1, sizeof first);
  std::memcpy(second, m2, sizeof second);
  for (const StepScalars& s : steps) {
    for (int i = 0; i < kParts; ++i) {  // as step_moments and decayed do it
      first[i] = s.beta1 * first[i] + 0.0F;
      second[i] = s.beta2 * second[i] + 0.0F;
      weights[i] = weights[i] - s.decay * weights[i];
    }
  }
  std::memcpy(w, weights, sizeof weights);
  std::memcpy(m1, first, sizeof first);
  std::memcpy(m2, second, sizeof second);
}

template <class Change>
[[gnu::always_inline]] inline void step_all(float* __restrict w, float* __restrict m1,
                                            float* __restrict m2, std::int64_t size,
                                            std::span<const StepScalars> steps, Change change) {
  for (const StepScalars& step : steps) {
    const StepScalars s = step;
    for (std::int64_t i = 0; i < size; ++i) w[i] = change(w[i], m1[i], m2[i], s);
  }
}

// Tiles that still move make their steps together as far as they lie side by side: the roots and
// divisions of one tile would wait for those of its step before.
WEFT_CPU_CLONES
void adam_without_gradient(Stream&, View weights, View mom1, View mom2,
                           std::span<const StepScalars> all_steps, const FadingSteps& fading) {
  constexpr std::size_t kStepsAtOnce = 32;  // then it is asked again which tiles still move
  auto* w = weights.as<float>();
  auto* m1 = mom1.as<float>();
  auto* m2 = mom2.as<float>();
  const std::int64_t size = weights.size();
  while (!all_steps.empty()) {
    const auto steps = all_steps.first(std::min(kStepsAtOnce, all_steps.size()));
    all_steps = all_steps.subspan(steps.size());
    std::int64_t moving = 0;  // where those that move begin
    for (std::int64_t at = 0; at < size; at += kTile) {
      const bool is_whole = size - at >= kTile;
      const bool fades = is_whole && tile_fades(w + at, m1 + at, m2 + at, fading);
      const std::int64_t end = fades ? at : std::min(at + kTile, size);
      if (fades) fade_tile(w + at, m1 + at, m2 + at, steps);
      if (fades || end == size) {
        step_all(w + moving, m1 + moving, m2 + moving, end - moving, steps,
                 [](float weight, float& first, float& second, const StepScalars& s) {
                   return adam_element(weight, 0.0F, first, second, s);
                 });
        moving = at + kTile;
      }
    }
  }
}

WEFT_CPU_CLONES
void momentum_without_gradient(Stream&, View weights, View mom1, View mom2,
                               std::span<const StepScalars> steps, const FadingSteps&) {
  step_all(weights.as<float>(), mom1.as<float>(), mom2.as<float>(), weights.size(), steps,
           [](float weight, float& first, float& second, const StepScalars& s) {
             return momentum_element(weight, 0.0F, first, second, s);
           });
}

WEFT_CPU_CLONES
void sgd_step(Stream&, View weights, ConstView gradient, StepScalars s) {
  auto* w = weights.as<float>();
  const auto* g = gradient.as<float>();
  const std::int64_t size = weights.size();
  for (std::int64_t i = 0; i < size; ++i) w[i] = sgd_element(w[i], g[i], s);
}

// A running mean of the weights, updated with them: rate 1 copies, smaller rates forget slowly.
WEFT_CPU_CLONES
void average_step(Stream&, View average, ConstView weights, float rate) {
  auto* a = average.as<float>();
  const auto* w = weights.as<float>();
  const std::int64_t size = average.size();
  for (std::int64_t i = 0; i < size; ++i) a[i] -= rate * (a[i] - w[i]);
}

// Thirty-two running sums whatever the processor: the order of addition is part of the result.
// Inlined always, since a function of its own would not be built for each processor.
template <class Number>
[[gnu::always_inline]] inline double sum_of_squares(std::int64_t size, Number number) {
  constexpr std::int64_t kLanes = 32;
  std::array<double, kLanes> sums{};
  const std::int64_t whole = size / kLanes * kLanes;
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const double value = number(i + lane);
      sums[lane] += value * value;
    }
  }
  for (std::int64_t i = whole; i < size; ++i) sums[i - whole] += number(i) * number(i);
  double total = 0.0;
  for (const double sum : sums) total += sum;
  return total;
}

WEFT_CPU_CLONES
void squared_norm(Stream&, ConstView gradient, ConstView weights, float l2, double* result) {
  const auto* g = gradient.as<float>();
  const auto* w = weights.as<float>();
  if (l2 == 0.0F) {
    // In f64: millions of squares of f32 neither overflow nor lose the small ones.
    *result = sum_of_squares(gradient.size(), [g](std::int64_t i) -> double { return g[i]; });
  } else {
    *result =
        sum_of_squares(gradient.size(), [=](std::int64_t i) -> double { return g[i] + l2 * w[i]; });
  }
}

const KernelRegistration<AdamStep> adam_registered{DeviceKind::cpu, adam_step};
const KernelRegistration<MomentumStep> momentum_registered{DeviceKind::cpu, momentum_step};
const KernelRegistration<AdamWithoutGradient> adam_without_gradient_registered{
    DeviceKind::cpu, adam_without_gradient};
const KernelRegistration<MomentumWithoutGradient> momentum_without_gradient_registered{
    DeviceKind::cpu, momentum_without_gradient};
const KernelRegistration<SgdStep> sgd_registered{DeviceKind::cpu, sgd_step};
const KernelRegistration<AverageStep> average_registered{DeviceKind::cpu, average_step};
const KernelRegistration<SquaredNorm> norm_registered{DeviceKind::cpu, squared_norm};

}  // namespace
}  // namespace weft
