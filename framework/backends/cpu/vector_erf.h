// The error function for rows of f32 numbers, inline as in vector_exp.h. The C library's function
// takes one number at a time.
#pragma once

#include <cstddef>
#include <cstring>

#include "framework/backends/cpu/vector_math.h"

namespace weft {

// erf x = x P(x^2 / 8 - 1) for |x| <= 4, where P is the polynomial of degree 18 that is nearest to
// erf x / x by least squares at 400 Chebyshev nodes: off by less than 5e-10. Beyond 4 the result is
// +1 or -1, to which erf rounds there. NaN stays NaN.
[[gnu::always_inline]] inline void error_function_of_four(float* four) {
  using Floats [[gnu::vector_size(4 * sizeof(float))]] = float;
  using Doubles [[gnu::vector_size(4 * sizeof(double))]] = double;
  constexpr float kMost = 4.0F;
  constexpr double kFactors[] = {
      // from the constant one up
      0.3535309956188323,    -0.1765762358730829,    0.1316751217802213,   -0.1077102893793757,
      0.09020883404957084,   -0.0747305360979757,    0.05988893544147472,  -0.04574400173512529,
      0.03304758581058818,   -0.02256359768784435,   0.0143975681588583,   -0.008382074168747313,
      0.00474682946610294,   -0.002911838970360832,  0.001438018182068309, -0.0003243025958975499,
      0.0001583410902039245, -0.0002467088219547244, 9.735199665009333e-05};
  constexpr int kDegree = sizeof kFactors / sizeof *kFactors - 1;
  Floats bounded;
  std::memcpy(&bounded, four, sizeof bounded);
  bounded = bounded < -kMost ? Floats{} - kMost : bounded;
  bounded = bounded > kMost ? Floats{} + kMost : bounded;
  const Doubles x = __builtin_convertvector(bounded, Doubles);
  const Doubles place = x * x * 0.125 - 1.0;
  Doubles sum = Doubles{} + kFactors[kDegree];
  for (int i = kDegree - 1; i >= 0; --i) sum = sum * place + kFactors[i];
  const Floats result = __builtin_convertvector(x * sum, Floats);
  std::memcpy(four, &result, sizeof result);
}

// x[i] = erf x[i].
[[gnu::always_inline]] inline void error_functions(float* x, std::ptrdiff_t count) {
  in_fours(
      x, count, [](float* four) __attribute__((always_inline)) { error_function_of_four(four); });
}

}  // namespace weft
