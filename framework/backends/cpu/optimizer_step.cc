#include "framework/ops/optimizer_step.h"

#include <array>

#include "framework/backends/cpu/clones.h"

namespace weft {
namespace {

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

WEFT_CPU_CLONES
void sgd_step(Stream&, View weights, ConstView gradient, StepScalars s) {
  auto* w = weights.as<float>();
  const auto* g = gradient.as<float>();
  const std::int64_t size = weights.size();
  for (std::int64_t i = 0; i < size; ++i) w[i] = sgd_element(w[i], g[i], s);
}

WEFT_CPU_CLONES
void average_step(Stream&, View average, ConstView weights, float rate) {
  auto* a = average.as<float>();
  const auto* w = weights.as<float>();
  const std::int64_t size = average.size();
  for (std::int64_t i = 0; i < size; ++i) a[i] -= rate * (a[i] - w[i]);
}

// Eight running sums whatever the processor: the order of addition is part of the result.
WEFT_CPU_CLONES
void squared_norm(Stream&, ConstView gradient, ConstView weights, float l2, double* result) {
  const auto* g = gradient.as<float>();
  const auto* w = weights.as<float>();
  std::array<double, 8> sums{};
  const std::int64_t size = gradient.size();
  const std::int64_t whole = size / 8 * 8;
  for (std::int64_t i = 0; i < whole; i += 8) {
    for (std::int64_t lane = 0; lane < 8; ++lane) {
      const double value = l2 == 0.0F ? g[i + lane] : g[i + lane] + l2 * w[i + lane];
      sums[lane] += value * value;
    }
  }
  for (std::int64_t i = whole; i < size; ++i) {
    const double value = l2 == 0.0F ? g[i] : g[i] + l2 * w[i];
    sums[i - whole] += value * value;
  }
  double total = 0.0;
  for (const double sum : sums) total += sum;
  *result = total;
}

const KernelRegistration<AdamStep> adam_registered{DeviceKind::cpu, adam_step};
const KernelRegistration<MomentumStep> momentum_registered{DeviceKind::cpu, momentum_step};
const KernelRegistration<SgdStep> sgd_registered{DeviceKind::cpu, sgd_step};
const KernelRegistration<AverageStep> average_registered{DeviceKind::cpu, average_step};
const KernelRegistration<SquaredNorm> norm_registered{DeviceKind::cpu, squared_norm};

}  // namespace
}  // namespace weft
