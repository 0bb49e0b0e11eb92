#include "framework/ops/optimizer_step.h"

#include <array>

#include "framework/backends/cpu/base/clones.h"

namespace weft {
namespace {

WEFT_CPU_CLONES
// The arithmetic of one weight stands in `adam_element` and its like, which the CPU and the devices
// share; these loops only make vector code of it. Weights are independent of each other, so slices
// of an array may be stepped on different threads.
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

WEFT_CPU_CLONES
void sgd_step(Stream&, View weights, ConstView gradient, StepScalars s) {
  auto* w = weights.as<float>();
  const auto* g = gradient.as<float>();
  const std::int64_t size = weights.size();
  for (std::int64_t i = 0; i < size; ++i) w[i] = sgd_element(w[i], g[i], s);
}

WEFT_CPU_CLONES
// A running mean of the weights, updated with them: rate 1 copies, smaller rates forget slowly.
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
const KernelRegistration<SgdStep> sgd_registered{DeviceKind::cpu, sgd_step};
const KernelRegistration<AverageStep> average_registered{DeviceKind::cpu, average_step};
const KernelRegistration<SquaredNorm> norm_registered{DeviceKind::cpu, squared_norm};

}  // namespace
}  // namespace weft
