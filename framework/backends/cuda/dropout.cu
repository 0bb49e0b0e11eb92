#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/ops/dropout.h"

namespace weft::cuda {
namespace {

// Element `at` of a row of `width` that starts at element `offset` of the stream; a thread has the
// four words of one counter. put(row, at, factor) does with it as it likes.
template <class Put>
struct Draws {
  RandomStream random;
  const std::int64_t* offsets;  // of each row; null: one row, at `offset`
  std::uint64_t offset;
  std::uint64_t width;
  std::uint32_t threshold;
  float kept;
  Put put;
  // A row may start in the middle of a group. Counters are taken from the beginning of that group
  // on, and elements before the row or behind it are dropped: any part of a mask has the same
  // numbers as the whole.
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t counter) const {
    const std::uint64_t begin = offsets == nullptr ? offset : std::uint64_t(offsets[i]);
    const std::uint64_t group = begin / kMaskGroup + counter / kMaskLanes;
    const auto words = random.block(group * kMaskLanes + counter % kMaskLanes);
    for (int w = 0; w < 4; ++w) {
      const std::uint64_t element = group * kMaskGroup + w * kMaskLanes + counter % kMaskLanes;
      if (element < begin || element - begin >= width) continue;
      put(i, static_cast<std::int64_t>(element - begin), words[w] >= threshold ? kept : 0.0F);
    }
  }
};

struct Masks {
  Floats mask;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j, float factor) const {
    mask.store(i, j, factor);
  }
};

// Of matrices as one row.
struct DroppedNumbers {
  ConstF32 x;
  F32 y;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j, float factor) const {
    y.store(i, j, x.load(i, j) * factor);
  }
};

// Counters that a row needs at most, wherever in a group it starts.
std::int64_t counters_of(std::uint64_t width) {
  const std::uint64_t groups = (width + 2 * (kMaskGroup - 1)) / kMaskGroup;
  return static_cast<std::int64_t>(groups * kMaskLanes);
}

// Numbers that stay are divided by the share that stays, so that sums keep their mean and
// prediction needs no factor of its own.
template <class Put>
Draws<Put> draws_of(const RandomStream& random, std::uint64_t offset, double rate,
                    std::int64_t width, const Put& put) {
  return {random,
          nullptr,
          offset,
          static_cast<std::uint64_t>(width),
          mask_threshold(rate),
          static_cast<float>(1.0 / (1.0 - rate)),
          put};
}

void dropout_mask(Stream& stream, const RandomStream& random, std::uint64_t offset, double rate,
                  View mask) {
  if (mask.size() == 0) return;
  const auto draws = draws_of(random, offset, rate, mask.size(), Masks{floats(mask)});
  launch_matrix(device_stream(stream), 1, counters_of(draws.width), draws);
}

void dropout_mask_rows(Stream& stream, const RandomStream& random, ConstView offsets, double rate,
                       View mask) {
  if (mask.size() == 0) return;
  auto draws = draws_of(random, 0, rate, mask.cols(), Masks{floats(mask)});
  draws.offsets = offsets.as<std::int64_t>();
  launch_matrix(device_stream(stream), mask.rows(), counters_of(draws.width), draws);
}

void apply_dropout(Stream& stream, ConstView x, const DropoutDraws& from, View y) {
  if (y.size() == 0) return;
  const auto draws =
      draws_of(from.random, from.offset, from.rate, y.size(), DroppedNumbers{f32(x), f32(y)});
  launch_matrix(device_stream(stream), 1, counters_of(draws.width), draws);
}

const KernelRegistration<DropoutMask> registered{DeviceKind::cuda, dropout_mask,
                                                 KernelFormats::any};
const KernelRegistration<DropoutMaskRows> rows_registered{DeviceKind::cuda, dropout_mask_rows,
                                                          KernelFormats::any};
const KernelRegistration<ApplyDropout> applied_registered{DeviceKind::cuda, apply_dropout};

}  // namespace
}  // namespace weft::cuda
