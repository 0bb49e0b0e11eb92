#include "framework/precision/unscale.h"

#include <algorithm>
#include <bit>

namespace weft {

namespace {

// By groups of a constant length, and asked of all numbers, not until one is found: compilers make
// vectors of that.
constexpr std::size_t kGroup = 16;

struct Unscaling {
  float factor;
  std::uint32_t not_finite[kGroup] = {};

  void take(float& value, std::size_t lane) {
    constexpr std::uint32_t exponent = 0x7f800000;
    const auto bits = std::bit_cast<std::uint32_t>(value) & exponent;
    not_finite[lane] |= bits == exponent ? ~0U : 0U;
    value *= factor;
  }
};

}  // namespace

bool check_and_unscale(std::span<float> gradient, float inverse_scale) {
  Unscaling unscaling{inverse_scale};
  const std::size_t whole = gradient.size() / kGroup * kGroup;
  for (std::size_t i = 0; i < whole; i += kGroup) {
    for (std::size_t lane = 0; lane < kGroup; ++lane) unscaling.take(gradient[i + lane], lane);
  }
  for (std::size_t i = whole; i < gradient.size(); ++i) unscaling.take(gradient[i], i - whole);
  return std::ranges::all_of(unscaling.not_finite, [](std::uint32_t found) { return found == 0; });
}

bool is_all_finite(NumberFormat format, std::span<const std::uint16_t> stored) {
  const std::uint16_t exponent = format == NumberFormat::f16 ? 0x7c00 : 0x7f80;
  return std::none_of(stored.begin(), stored.end(),
                      [exponent](std::uint16_t bits) { return (bits & exponent) == exponent; });
}

float clip_coefficient(double norm, double max_norm) {
  constexpr double margin = 1e-6;  // keeps a norm of zero from dividing
  return static_cast<float>(std::min(1.0, max_norm / (norm + margin)));
}

}  // namespace weft
