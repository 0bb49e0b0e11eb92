#include "framework/ops/dropout.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "framework/backends/cpu/base/row_pieces.h"
#include "framework/backends/cpu/mask_groups.h"

namespace weft {

namespace {

// Elements that one thread draws at least: it takes a few microseconds.
constexpr std::int64_t kElementsOfPiece = 4096;

void fill_mask(const RandomStream& random, std::uint64_t offset, cpu::MaskDraw draw,
               std::span<float> mask) {
  const std::uint64_t end = offset + mask.size();
  float* out = mask.data();
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

cpu::MaskDraw draw_of(double rate) {
  return {mask_threshold(rate), static_cast<float>(1.0 / (1.0 - rate))};
}

// Threads take whole groups of the stream, so that none is drawn twice.
void dropout_mask(Stream& stream, const RandomStream& random, std::uint64_t offset, double rate,
                  View mask) {
  const auto size = static_cast<std::uint64_t>(mask.size());
  const std::uint64_t first_group = offset / kMaskGroup;
  const std::uint64_t groups = (offset + size + kMaskGroup - 1) / kMaskGroup - first_group;
  const auto element_of = [&](std::int64_t group) {  // of the mask, the first one in that group
    const std::uint64_t at = (first_group + static_cast<std::uint64_t>(group)) * kMaskGroup;
    return std::min(size, at - std::min(at, offset));
  };
  cpu::for_row_pieces(
      stream.tasks(), static_cast<std::int64_t>(groups), static_cast<std::int64_t>(kMaskGroup),
      kElementsOfPiece, [&](std::int64_t first, std::int64_t count) {
        const std::uint64_t begin = element_of(first);
        const std::uint64_t end = element_of(first + count);
        fill_mask(random, offset + begin, draw_of(rate), {mask.as<float>() + begin, end - begin});
      });
}

void dropout_mask_rows(Stream& stream, const RandomStream& random, ConstView offsets, double rate,
                       View mask) {
  const std::int64_t* offset = offsets.as<std::int64_t>();
  const std::int64_t width = mask.cols();
  cpu::for_row_pieces(stream.tasks(), mask.rows(), width, kElementsOfPiece,
                      [&](std::int64_t first, std::int64_t count) {
                        for (std::int64_t i = first; i < first + count; ++i) {
                          fill_mask(random, static_cast<std::uint64_t>(offset[i]), draw_of(rate),
                                    {mask.row<float>(i), static_cast<std::size_t>(width)});
                        }
                      });
}

const KernelRegistration<DropoutMask> registered{DeviceKind::cpu, dropout_mask};
const KernelRegistration<DropoutMaskRows> rows_registered{DeviceKind::cpu, dropout_mask_rows};

}  // namespace

}  // namespace weft
