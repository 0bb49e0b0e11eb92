#include "framework/precision/format.h"

#include <algorithm>
#include <array>

namespace weft {
namespace {

constexpr std::array<FormatLimits, 4> all_limits = {{
    {0x1.fffffep127F, 0x1p-126F, 0x1p-149F, 0x1p-24F, 1 << 24},
    {65504.0F, 0x1p-14F, 0x1p-24F, 0x1p-11F, 1 << 11},
    {0x1.fep127F, 0x1p-126F, 0x1p-133F, 0x1p-8F, 1 << 8},
    {0x1.ffcp127F, 0x1p-126F, 0x1p-126F, 0x1p-11F, 1 << 11},
}};

constexpr float least_fp16_eps = 0x1p-13F;

}  // namespace

std::string_view name_of(NumberFormat format) {
  static constexpr std::array<std::string_view, 4> names = {"f32", "fp16", "bf16", "tf32"};
  return names[static_cast<std::size_t>(format)];
}

const FormatLimits& limits(NumberFormat format) {
  return all_limits[static_cast<std::size_t>(format)];
}

float finite_max(NumberFormat format) {
  return limits(format).largest;
}

float finite_lowest(NumberFormat format) {
  return -limits(format).largest;
}

float smallest_positive(NumberFormat format) {
  return limits(format).smallest_positive;
}

float mask_value(NumberFormat format) {
  return finite_lowest(format) / 2;
}

float safe_eps(NumberFormat format, float eps) {
  const float least = format == NumberFormat::f16 ? least_fp16_eps : limits(format).smallest_normal;
  return std::max(eps, least);
}

}  // namespace weft
