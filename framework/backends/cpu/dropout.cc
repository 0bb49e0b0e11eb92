#include "framework/ops/dropout.h"

#include <algorithm>

#include "framework/backends/cpu/mask_groups.h"

namespace weft {

namespace {

void dropout_mask(Stream&, const RandomStream& random, std::uint64_t offset, double rate,
                  View mask) {
  const cpu::MaskDraw draw{mask_threshold(rate), static_cast<float>(1.0 / (1.0 - rate))};
  const std::uint64_t end = offset + static_cast<std::uint64_t>(mask.size());
  float* out = mask.as<float>();
  for (std::uint64_t at = offset; at < end;) {
    const std::uint64_t group = at / kMaskGroup, first = at % kMaskGroup, left = end - at;
    if (first == 0 && left >= kMaskGroup) {
      const std::uint64_t whole = left / kMaskGroup;
      cpu::fill_mask_groups(random, group, whole, draw, out);
      out += whole * kMaskGroup;
      at += whole * kMaskGroup;
    } else {
      float part[kMaskGroup];
      const std::uint64_t count = std::min(kMaskGroup - first, left);
      cpu::fill_mask_groups(random, group, 1, draw, part);
      out = std::copy_n(part + first, count, out);
      at += count;
    }
  }
}

void dropout_mask_rows(Stream& stream, const RandomStream& random, ConstView offsets, double rate,
                       View mask) {
  const std::int64_t* offset = offsets.as<std::int64_t>();
  for (std::int64_t i = 0; i < mask.rows(); ++i) {
    dropout_mask(stream, random, static_cast<std::uint64_t>(offset[i]), rate, mask.slice(i, 1));
  }
}

const KernelRegistration<DropoutMask> registered{DeviceKind::cpu, dropout_mask};
const KernelRegistration<DropoutMaskRows> rows_registered{DeviceKind::cpu, dropout_mask_rows};

}  // namespace

}  // namespace weft
