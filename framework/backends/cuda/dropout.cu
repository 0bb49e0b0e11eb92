#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/ops/dropout.h"

namespace weft::cuda {
namespace {

// Element `at` of a row of `width` that starts at element `offset` of the stream; a thread has the
// four words of one counter.
struct Masks {
  RandomStream random;
  const std::int64_t* offsets;  // of each row; null: one row, at `offset`
  std::uint64_t offset;
  std::uint64_t width;
  std::uint32_t threshold;
  float kept;
  Floats mask;
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
      mask.store(i, element - begin, words[w] >= threshold ? kept : 0.0F);
    }
  }
};

// Counters that a row needs at most, wherever in a group it starts.
std::int64_t counters_of(std::uint64_t width) {
  const std::uint64_t groups = (width + 2 * (kMaskGroup - 1)) / kMaskGroup;
  return static_cast<std::int64_t>(groups * kMaskLanes);
}

// Numbers that stay are divided by the share that stays, so that sums keep their mean and
// prediction needs no factor of its own.
Masks masks_of(const RandomStream& random, double rate, View mask) {
  return {random,      nullptr, 0, 0, mask_threshold(rate), static_cast<float>(1.0 / (1.0 - rate)),
          floats(mask)};
}

void dropout_mask(Stream& stream, const RandomStream& random, std::uint64_t offset, double rate,
                  View mask) {
  Masks masks = masks_of(random, rate, mask);
  masks.offset = offset;
  masks.width = static_cast<std::uint64_t>(mask.size());
  if (mask.size() > 0) launch_matrix(device_stream(stream), 1, counters_of(masks.width), masks);
}

void dropout_mask_rows(Stream& stream, const RandomStream& random, ConstView offsets, double rate,
                       View mask) {
  if (mask.size() == 0) return;
  Masks masks = masks_of(random, rate, mask);
  masks.offsets = offsets.as<std::int64_t>();
  masks.width = static_cast<std::uint64_t>(mask.cols());
  launch_matrix(device_stream(stream), mask.rows(), counters_of(masks.width), masks);
}

const KernelRegistration<DropoutMask> registered{DeviceKind::cuda, dropout_mask,
                                                 KernelFormats::any};
const KernelRegistration<DropoutMaskRows> rows_registered{DeviceKind::cuda, dropout_mask_rows,
                                                          KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
