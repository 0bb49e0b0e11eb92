#include "framework/precision/unscale.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "framework/precision/convert.h"

namespace weft {
namespace {

// Independent sums, so that the additions need not wait for each other.
constexpr std::size_t lanes = 8;

}  // namespace

GradientCheck check_and_unscale(std::span<float> gradient, float inverse_scale) {
  constexpr std::uint32_t exponent = 0x7f800000;
  std::array<double, lanes> sums{};
  std::array<std::uint32_t, lanes> not_finite{};
  const auto take = [&](float& value, std::size_t lane) {
    const auto bits = std::bit_cast<std::uint32_t>(value) & exponent;
    not_finite[lane] |= static_cast<std::uint32_t>(bits == exponent);
    value *= inverse_scale;
    sums[lane] += static_cast<double>(value) * value;
  };
  const std::size_t whole = gradient.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) take(gradient[i + lane], lane);
  }
  for (std::size_t i = whole; i < gradient.size(); ++i) take(gradient[i], i - whole);
  GradientCheck check;
  check.finite = std::all_of(not_finite.begin(), not_finite.end(), [](auto n) { return n == 0; });
  check.sum_of_squares = std::accumulate(sums.begin(), sums.end(), 0.0);
  return check;
}

GradientCheck check_and_unscale(NumberFormat format, std::span<const std::uint16_t> stored,
                                std::span<float> unscaled, float inverse_scale) {
  widen(format, stored, unscaled);
  return check_and_unscale(unscaled, inverse_scale);
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
