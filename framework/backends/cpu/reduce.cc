#include "framework/ops/reduce.h"

#include <algorithm>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

using Lengths = std::span<const std::int64_t>;

WEFT_CPU_CLONES void add_column_sums(Stream&, ConstView x, View total, float beta) {
  float* to = total.as<float>();
  if (beta == 0.0F) std::fill_n(to, x.cols(), 0.0F);
  for (std::int64_t i = 0; i < x.rows(); ++i) add_to(to, x.row<float>(i), x.cols());
}

// Of equal numbers the first row wins. An empty sequence has no winner (-1), zeros and no gradient.
// One sequence: its rows [first, first + length) of x to row `s` of y.
void pool_max(ConstView x, std::int64_t first, std::int64_t length, View y, View winners,
              std::int64_t s) {
  float* best = y.row<float>(s);
  std::int32_t* winner = winners.row<std::int32_t>(s);
  std::fill_n(winner, y.cols(), length == 0 ? -1 : static_cast<std::int32_t>(first));
  if (length > 0) std::copy_n(x.row<float>(first), y.cols(), best);
  for (std::int64_t i = first + 1; i < first + length; ++i) {
    const float* row = x.row<float>(i);
    for (std::int64_t j = 0; j < y.cols(); ++j) {
      if (row[j] > best[j]) {
        best[j] = row[j];
        winner[j] = static_cast<std::int32_t>(i);
      }
    }
  }
}

void pool_sum(Pool pool, ConstView x, std::int64_t first, std::int64_t length, View y,
              std::int64_t s) {
  float* sum = y.row<float>(s);
  for (std::int64_t i = first; i < first + length; ++i) add_to(sum, x.row<float>(i), y.cols());
  if (pool == Pool::mean && length > 0) {
    scale_by(sum, 1.0F / static_cast<float>(length), y.cols());
  }
}

void pool_forward(Stream&, Pool pool, ConstView x, Lengths lengths, View y, View winners) {
  std::int64_t first = 0;
  for (std::int64_t s = 0; s < y.rows(); ++s) {
    const std::int64_t length = lengths[static_cast<std::size_t>(s)];
    std::fill_n(y.row<float>(s), y.cols(), 0.0F);
    if (pool == Pool::max) {
      pool_max(x, first, length, y, winners, s);
    } else if (pool == Pool::sum || pool == Pool::mean) {
      pool_sum(pool, x, first, length, y, s);
    } else if (length > 0) {
      const std::int64_t row = pool == Pool::first ? first : first + length - 1;
      std::copy_n(x.row<float>(row), y.cols(), y.row<float>(s));
    }
    first += length;
  }
}

void spread(Pool pool, const float* dy, std::int64_t first, std::int64_t length, View dx) {
  const float scale = pool == Pool::mean ? 1.0F / static_cast<float>(length) : 1.0F;
  for (std::int64_t i = first; i < first + length; ++i) {
    for (std::int64_t j = 0; j < dx.cols(); ++j) dx.row<float>(i)[j] = dy[j] * scale;
  }
}

void pool_backward(Stream&, Pool pool, ConstView dy, Lengths lengths, ConstView winners, View dx) {
  for (std::int64_t i = 0; i < dx.rows(); ++i) std::fill_n(dx.row<float>(i), dx.cols(), 0.0F);
  std::int64_t first = 0;
  for (std::int64_t s = 0; s < dy.rows(); ++s) {
    const std::int64_t length = lengths[static_cast<std::size_t>(s)];
    const float* from = dy.row<float>(s);
    if (length == 0) continue;
    if (pool == Pool::max) {
      const std::int32_t* winner = winners.row<std::int32_t>(s);
      for (std::int64_t j = 0; j < dy.cols(); ++j) dx.row<float>(winner[j])[j] = from[j];
    } else if (pool == Pool::sum || pool == Pool::mean) {
      spread(pool, from, first, length, dx);
    } else {
      const std::int64_t row = pool == Pool::first ? first : first + length - 1;
      std::copy_n(from, dy.cols(), dx.row<float>(row));
    }
    first += length;
  }
}

const KernelRegistration<AddColumnSums> sums_kernel{DeviceKind::cpu, add_column_sums};
const KernelRegistration<PoolForward> pool_kernel{DeviceKind::cpu, pool_forward};
const KernelRegistration<PoolBackward> pool_backward_kernel{DeviceKind::cpu, pool_backward};

}  // namespace

}  // namespace weft
