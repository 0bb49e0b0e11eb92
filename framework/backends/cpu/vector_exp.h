// e^x for rows of f32 numbers. The C library's function takes one number at a time, three times as
// long. Inline, to be compiled for the instruction set of the function that calls it (clones.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "framework/backends/cpu/vector_math.h"

namespace weft {

// e^x = 2^k e^r with the integer k nearest to x / ln 2, so that |r| <= ln(2) / 2, where the Taylor
// series up to r^8 is off by 2e-10 of the value. In f64, rounded once: the f32 number nearest to
// e^x but for one in some 20,000, whose neighbour it is. NaN stays NaN; no argument is out of
// range.
[[gnu::always_inline]] inline void exponentials_of_four(float* four) {
  using Floats [[gnu::vector_size(4 * sizeof(float))]] = float;
  using Doubles [[gnu::vector_size(4 * sizeof(double))]] = double;
  using Bits [[gnu::vector_size(4 * sizeof(double))]] = std::uint64_t;
  // Below the first e^x is less than half of the smallest f32 number, above the second infinite.
  constexpr float kLeast = -104.0F, kMost = 89.0F;
  constexpr double kPerLn2 = 1.4426950408889634, kLn2 = 0.6931471805599453;
  constexpr double kRounding =
      0x1.8p52;  // has no bits below 1: added, it leaves k in the last bits
  constexpr int kExponentAt = 52;
  Floats x;
  std::memcpy(&x, four, sizeof x);
  x = x < kLeast ? Floats{} + kLeast : x;
  x = x > kMost ? Floats{} + kMost : x;
  const Doubles scaled = __builtin_convertvector(x, Doubles) * kPerLn2;
  const Doubles rounded = scaled + kRounding;
  const Doubles r = (scaled - (rounded - kRounding)) * kLn2;
  Doubles sum = r * (1.0 / 40320) + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  const auto k = reinterpret_cast<Bits>(rounded) << kExponentAt;
  const auto power = reinterpret_cast<Doubles>(reinterpret_cast<Bits>(sum) + k);
  const Floats result = __builtin_convertvector(power, Floats);
  std::memcpy(four, &result, sizeof result);
}

// x[i] = e^x[i].
[[gnu::always_inline]] inline void exponentials(float* x, std::ptrdiff_t count) {
  in_fours(
      x, count, [](float* four) __attribute__((always_inline)) { exponentials_of_four(four); });
}

}  // namespace weft
