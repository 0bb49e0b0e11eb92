#include "framework/ops/attention.h"

#include <algorithm>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/vector_exp.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

using Lengths = std::span<const std::int64_t>;

// A softmax usually subtracts its largest number first; here a bound keeps exp within f32 instead:
// exp(20) times a billion tokens is far below its limit.
constexpr float kMost = 20.0F;  // of a key times the query

WEFT_CPU_CLONES void dots(ConstView keys, const float* query, float* scores) {
  for (std::int64_t i = 0; i < keys.rows(); ++i) {
    const float* key = keys.row<float>(i);
    scores[i] = sum_of(keys.cols(), [=](std::ptrdiff_t j) { return key[j] * query[j]; });
  }
}

WEFT_CPU_CLONES void bounded_exponentials(float* x, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) x[i] = std::clamp(x[i], -kMost, kMost);
  exponentials(x, count);
}

void attention_shares(Stream&, ConstView keys, ConstView query, Lengths lengths, View shares) {
  float* share = shares.as<float>();
  dots(keys, query.as<float>(), share);
  bounded_exponentials(share, keys.rows());
  for (const std::int64_t length : lengths) {
    float sum = 0;
    for (std::int64_t i = 0; i < length; ++i) sum += share[i];
    for (std::int64_t i = 0; i < length; ++i) share[i] /= sum;
    share += length;
  }
}

WEFT_CPU_CLONES void row_dots(ConstView a, ConstView b, float* dots) {
  for (std::int64_t i = 0; i < a.rows(); ++i) {
    const float *left = a.row<float>(i), *right = b.row<float>(i);
    dots[i] = sum_of(a.cols(), [=](std::ptrdiff_t j) { return left[j] * right[j]; });
  }
}

// The gradient of a softmax: d_i = s_i (g_i - sum over j of s_j g_j), where g_i is the gradient of
// share i. The bound on scores is passed as if it were not there.
void attention_shares_backward(Stream&, ConstView dy, ConstView x, ConstView shares,
                               Lengths lengths, View d_scores) {
  const float* share = shares.as<float>();
  float* d = d_scores.as<float>();
  row_dots(dy, x, d);
  for (const std::int64_t length : lengths) {
    float sum = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      d[i] *= share[i];
      sum += d[i];
    }
    for (std::int64_t i = 0; i < length; ++i) d[i] -= share[i] * sum;
    d += length;
    share += length;
  }
}

WEFT_CPU_CLONES void scale_rows(Stream&, ConstView x, ConstView factor, View y) {
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const float* from = x.row<float>(i);
    float* to = y.row<float>(i);
    const float by = factor.as<float>()[i];
    for (std::int64_t j = 0; j < x.cols(); ++j) to[j] = from[j] * by;
  }
}

const KernelRegistration<AttentionShares> shares_kernel{DeviceKind::cpu, attention_shares};
const KernelRegistration<AttentionSharesBackward> backward_kernel{DeviceKind::cpu,
                                                                  attention_shares_backward};
const KernelRegistration<ScaleRows> scale_kernel{DeviceKind::cpu, scale_rows};

}  // namespace

}  // namespace weft
