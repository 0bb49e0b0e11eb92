// Conversions of one number between f32 and the shorter formats, on bit patterns: the definition
// that every faster path has to match bit for bit. Round to nearest, ties to even; subnormals are
// kept; overflow goes to infinity; NaN becomes the one quiet NaN of the format (payload and sign
// are lost). Source: docs/precision.md, "Formats"; IEEE 754-2019, section 4.3.
//
// constexpr and free of the floating-point environment: flush-to-zero modes do not change them.
#pragma once

#include <bit>
#include <cstdint>

namespace weft {

inline constexpr std::uint16_t f16_nan = 0x7e00;
inline constexpr std::uint16_t bf16_nan = 0x7fc0;

namespace rounding {

inline constexpr std::uint32_t magnitude_mask = 0x7fffffff;
inline constexpr std::uint32_t infinity_bits = 0x7f800000;

// `value` / 2^shift, to nearest, ties to even.
constexpr std::uint32_t shift_right_even(std::uint32_t value, unsigned shift) {
  const std::uint32_t quotient = value >> shift;
  const std::uint32_t rest = value & ((1U << shift) - 1);
  const std::uint32_t half = 1U << (shift - 1);
  return quotient + static_cast<std::uint32_t>(rest > half || (rest == half && (quotient & 1)));
}

}  // namespace rounding

constexpr std::uint16_t f16_from_f32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000);
  const std::uint32_t magnitude = bits & rounding::magnitude_mask;
  if (magnitude > rounding::infinity_bits) return f16_nan;
  if (magnitude >= 0x47800000) return sign | 0x7c00;  // 65536 and above
  if (magnitude >= 0x38800000) {                      // 2^-14: normal; 65520 carries into infinity
    return sign |
           static_cast<std::uint16_t>(rounding::shift_right_even(magnitude - 0x38000000, 13));
  }
  const std::uint32_t exponent = magnitude >> 23;
  if (exponent < 102) return sign;  // below 2^-25, half of the smallest subnormal
  const std::uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
  return sign | static_cast<std::uint16_t>(rounding::shift_right_even(significand, 126 - exponent));
}

constexpr float f32_from_f16(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16;
  const std::uint32_t exponent = (half >> 10) & 31U;
  const std::uint32_t fraction = half & 0x3ffU;
  if (exponent == 31) {
    const std::uint32_t quiet = fraction == 0 ? 0 : 0x400000;
    return std::bit_cast<float>(sign | rounding::infinity_bits | quiet | (fraction << 13));
  }
  if (exponent == 0) {  // a multiple of 2^-24: exact, and normal in f32
    const float value = static_cast<float>(fraction) * 0x1p-24F;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | sign);
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

constexpr std::uint16_t bf16_from_f32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & rounding::magnitude_mask) > rounding::infinity_bits) return bf16_nan;
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

constexpr float f32_from_bf16(std::uint16_t value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

// The three rules by which devices make tf32 inputs. Infinities and NaN stay what they are.
enum class Tf32Rounding : unsigned char { truncate, nearest_away, nearest_even };

constexpr float tf32_from_f32(float value, Tf32Rounding rule = Tf32Rounding::nearest_even) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & rounding::infinity_bits) == rounding::infinity_bits) return value;
  std::uint32_t added = 0;
  if (rule == Tf32Rounding::nearest_away) added = 0x1000;
  if (rule == Tf32Rounding::nearest_even) added = 0xfff + ((bits >> 13) & 1);
  return std::bit_cast<float>((bits + added) & ~std::uint32_t{0x1fff});
}

}  // namespace weft
