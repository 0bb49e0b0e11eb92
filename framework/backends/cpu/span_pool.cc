#include "framework/ops/span_pool.h"

#include <algorithm>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

WEFT_CPU_CLONES void add_row(const float* row, std::int64_t number, std::int64_t width, float* sum,
                             float* best, std::int32_t* winner) {
  for (std::int64_t j = 0; j < width; ++j) {
    sum[j] += row[j];
    const bool larger = row[j] > best[j];
    best[j] = larger ? row[j] : best[j];
    winner[j] = larger ? static_cast<std::int32_t>(number) : winner[j];
  }
}

// A row of y holds four pools of the span's rows side by side: last, first, mean and largest. Of
// equal numbers the first row is the winner, as it is on devices.
void span_pool_forward(Stream&, ConstView x, ConstView spans, View y, View winners) {
  const std::int64_t width = x.cols();
  for (std::int64_t s = 0; s < spans.rows(); ++s) {
    const std::int32_t start = spans.row<std::int32_t>(s)[0], end = spans.row<std::int32_t>(s)[1];
    float* last = y.row<float>(s);
    float *first = last + width, *mean = first + width, *largest = mean + width;
    std::copy_n(x.row<float>(end - 1), width, last);
    std::copy_n(x.row<float>(start), width, first);
    std::fill_n(mean, width, 0.0F);
    add_to(mean, first, width);
    std::copy_n(first, width, largest);
    std::int32_t* winner = winners.row<std::int32_t>(s);
    std::fill_n(winner, width, start);
    for (std::int32_t i = start + 1; i < end; ++i) {
      add_row(x.row<float>(i), i, width, mean, largest, winner);
    }
    scale_by(mean, 1.0F / static_cast<float>(end - start), width);
  }
}

// The share of a span in the gradient of one of its rows, added up in the order of the four pools
// one by one.
struct RowShare {
  const float *last, *first, *mean, *largest;
  const std::int32_t* winner;
  float scale;
};

WEFT_CPU_CLONES void add_share(const RowShare& share, std::int32_t row, bool is_last, bool is_first,
                               std::int64_t width, float* to) {
  for (std::int64_t j = 0; j < width; ++j) {
    float sum = (is_last ? share.last[j] : 0.0F) + (is_first ? share.first[j] : 0.0F);
    sum += share.mean[j] * share.scale;
    sum += share.winner[j] == row ? share.largest[j] : 0.0F;
    to[j] += sum;
  }
}

void span_pool_backward(Stream&, ConstView dy, ConstView spans, ConstView winners, View dx) {
  const std::int64_t width = dx.cols();
  for (std::int64_t i = 0; i < dx.rows(); ++i) std::fill_n(dx.row<float>(i), width, 0.0F);
  for (std::int64_t s = 0; s < spans.rows(); ++s) {
    const std::int32_t start = spans.row<std::int32_t>(s)[0], end = spans.row<std::int32_t>(s)[1];
    const float* from = dy.row<float>(s);
    const RowShare share{from,
                         from + width,
                         from + 2 * width,
                         from + 3 * width,
                         winners.row<std::int32_t>(s),
                         1.0F / static_cast<float>(end - start)};
    for (std::int32_t i = start; i < end; ++i) {
      add_share(share, i, i == end - 1, i == start, width, dx.row<float>(i));
    }
  }
}

const KernelRegistration<SpanPoolForward> forward_kernel{DeviceKind::cpu, span_pool_forward};
const KernelRegistration<SpanPoolBackward> backward_kernel{DeviceKind::cpu, span_pool_backward};

}  // namespace

}  // namespace weft
