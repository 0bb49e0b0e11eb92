// Numbers of bf16 for tests of dot products, and a model of the instruction in plain C++.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "framework/ops/random.h"
#include "framework/tensor/rounding.h"

namespace weft::cpu {

// In [-1, 1).
inline std::vector<std::uint16_t> random_bf16(std::int64_t count, std::uint64_t seed) {
  std::vector<std::uint16_t> numbers;
  const RandomStream random(seed, 0, 0);
  for (std::int64_t i = 0; i < count; ++i) {
    numbers.push_back(bf16_from_f32(2.0F * random.uniform(static_cast<std::uint64_t>(i)) - 1.0F));
  }
  return numbers;
}

// One lane of VDPBF16PS: the second numbers' product is added first, each with one rounding.
inline float add_pair(float sum, float a, float b, float next_a, float next_b) {
  return std::fma(a, b, std::fma(next_a, next_b, sum));
}

}  // namespace weft::cpu
