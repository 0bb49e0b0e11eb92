#include <vector>

#include "framework/backends/cuda/column_sums.h"
#include "framework/ops/reduce.h"

namespace weft::cuda {
namespace {

using Lengths = std::span<const std::int64_t>;

template <class Numbers>
struct Element {
  Numbers x;
  WEFT_KERNEL float operator()(std::int64_t i, std::int64_t j) const { return x.load(i, j); }
};

void add_column_sums(Stream& stream, ConstView x, View total, float beta) {
  with_numbers(
      [&]<class Numbers>(Numbers matrix) {
        store_sums_of_columns(device_stream(stream), x.rows(), x.cols(), Element<Numbers>{matrix},
                              total, beta);
      },
      x);
}

// Rows [begins[s], begins[s + 1]) are those of sequence s.
std::vector<std::int64_t> begins_of(Lengths lengths) {
  std::vector<std::int64_t> begins{0};
  for (const std::int64_t length : lengths) begins.push_back(begins.back() + length);
  return begins;
}

// A thread follows one column through a sequence, so the additions have the order of the rows.
struct Pooled {
  Pool pool;
  Floats x, y;
  const std::int64_t* begins;
  std::int32_t* winners;
  std::int64_t winners_stride;

  WEFT_KERNEL void operator()(std::int64_t s, std::int64_t j) const {
    const std::int64_t begin = begins[s], end = begins[s + 1];
    if (pool == Pool::max) {
      y.store(s, j, largest(s, j, begin, end));
    } else if (begin == end) {
      y.store(s, j, 0.0F);
    } else if (pool == Pool::first || pool == Pool::last) {
      y.store(s, j, x.load(pool == Pool::first ? begin : end - 1, j));
    } else {
      float sum = 0.0F;
      for (std::int64_t i = begin; i < end; ++i) sum += x.load(i, j);
      const float scale = pool == Pool::mean ? 1.0F / static_cast<float>(end - begin) : 1.0F;
      y.store(s, j, sum * scale);
    }
  }

  WEFT_KERNEL float largest(std::int64_t s, std::int64_t j, std::int64_t begin,
                            std::int64_t end) const {
    std::int32_t winner = begin == end ? -1 : static_cast<std::int32_t>(begin);
    float best = begin == end ? 0.0F : x.load(begin, j);
    for (std::int64_t i = begin + 1; i < end; ++i) {
      const float value = x.load(i, j);
      if (value > best) {
        best = value;
        winner = static_cast<std::int32_t>(i);
      }
    }
    winners[s * winners_stride + j] = winner;
    return best;
  }
};

// Every row belongs to one sequence, so each element of dx is written by one thread, once.
struct Spread {
  Pool pool;
  Floats dy, dx;
  const std::int64_t* begins;
  const std::int32_t* winners;
  std::int64_t winners_stride;

  WEFT_KERNEL float gradient(std::int64_t s, std::int64_t i, std::int64_t j) const {
    const std::int64_t begin = begins[s], end = begins[s + 1];
    switch (pool) {
      case Pool::max:
        return winners[s * winners_stride + j] == i ? dy.load(s, j) : 0.0F;
      case Pool::first:
        return i == begin ? dy.load(s, j) : 0.0F;
      case Pool::last:
        return i == end - 1 ? dy.load(s, j) : 0.0F;
      case Pool::mean:
        return dy.load(s, j) * (1.0F / static_cast<float>(end - begin));
      default:
        return dy.load(s, j);
    }
  }
  WEFT_KERNEL void operator()(std::int64_t s, std::int64_t j) const {
    for (std::int64_t i = begins[s]; i < begins[s + 1]; ++i) dx.store(i, j, gradient(s, i, j));
  }
};

void pool_forward(Stream& stream, Pool pool, ConstView x, Lengths lengths, View y, View winners) {
  DeviceStream& queue = device_stream(stream);
  const std::vector<std::int64_t> begins = begins_of(lengths);
  const Staged<std::int64_t> placed(queue, begins);
  auto* rows = pool == Pool::max ? winners.as<std::int32_t>() : nullptr;
  launch_matrix(queue, y.rows(), y.cols(),
                Pooled{pool, floats(x), floats(y), placed.data(), rows, winners.row_stride()});
}

void pool_backward(Stream& stream, Pool pool, ConstView dy, Lengths lengths, ConstView winners,
                   View dx) {
  DeviceStream& queue = device_stream(stream);
  const std::vector<std::int64_t> begins = begins_of(lengths);
  const Staged<std::int64_t> placed(queue, begins);
  const auto* rows = pool == Pool::max ? winners.as<std::int32_t>() : nullptr;
  launch_matrix(queue, dy.rows(), dy.cols(),
                Spread{pool, floats(dy), floats(dx), placed.data(), rows, winners.row_stride()});
}

const KernelRegistration<AddColumnSums> sums_kernel{DeviceKind::cuda, add_column_sums,
                                                    KernelFormats::any};
const KernelRegistration<PoolForward> pool_kernel{DeviceKind::cuda, pool_forward,
                                                  KernelFormats::any};
const KernelRegistration<PoolBackward> pool_backward_kernel{DeviceKind::cuda, pool_backward,
                                                            KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
