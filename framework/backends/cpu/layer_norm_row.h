// Layer norm of one row, for the kernels it is part of. Inlined always, so that it is built for
// the instruction set of each (see clones.h).
#pragma once

#include <cmath>
#include <cstdint>

#include "framework/backends/cpu/vector_math.h"
#include "framework/ops/layer_norm.h"

namespace weft {

// The mean and the inverse deviation of a row.
struct RowStats {
  float mean, scale;
};

[[gnu::always_inline]] inline RowStats stats_of(const float* in, std::int64_t count) {
  const auto width = static_cast<float>(count);
  const float mean = sum_of(count, [=](std::ptrdiff_t j) { return in[j]; }) / width;
  const float variance =
      sum_of(count, [=](std::ptrdiff_t j) { return (in[j] - mean) * (in[j] - mean); }) / width;
  return {mean, 1.0F / std::sqrt(variance + kLayerNormEps)};
}

[[gnu::always_inline]] inline void normalize(const float* __restrict in, RowStats stats,
                                             const float* __restrict gamma,
                                             const float* __restrict beta, std::int64_t count,
                                             float* __restrict out) {
  for (std::int64_t j = 0; j < count; ++j) {
    out[j] = (in[j] - stats.mean) * stats.scale * gamma[j] + beta[j];
  }
}

// The gradient of the row; adds to those of gamma and beta.
[[gnu::always_inline]] inline void normalize_backward(const float* __restrict dy,
                                                      const float* __restrict in, RowStats stats,
                                                      const float* __restrict gamma,
                                                      std::int64_t count, float* __restrict dx,
                                                      float* __restrict d_gamma,
                                                      float* __restrict d_beta) {
  const auto width = static_cast<float>(count);
  const auto normal = [=](std::ptrdiff_t j) { return (in[j] - stats.mean) * stats.scale; };
  for (std::int64_t j = 0; j < count; ++j) {
    d_gamma[j] += dy[j] * normal(j);
    d_beta[j] += dy[j];
  }
  const float mean_e = sum_of(count, [=](std::ptrdiff_t j) { return dy[j] * gamma[j]; }) / width;
  const float mean_ex =
      sum_of(count, [=](std::ptrdiff_t j) { return dy[j] * gamma[j] * normal(j); }) / width;
  for (std::int64_t j = 0; j < count; ++j) {
    dx[j] = stats.scale * (dy[j] * gamma[j] - mean_e - normal(j) * mean_ex);
  }
}

}  // namespace weft
