// Arrays of random numbers for tests of ops and layers.
#pragma once

#include "framework/ops/random.h"
#include "framework/tensor/tensor.h"

namespace weft {

// Uniform in [-1, 1).
inline Tensor random_tensor(Shape shape, std::uint64_t seed) {
  Tensor tensor = Tensor::zeros(shape);
  const RandomStream random(seed, 0, 0);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    tensor.data<float>()[i] = 2.0F * random.uniform(static_cast<std::uint64_t>(i)) - 1.0F;
  }
  return tensor;
}

}  // namespace weft
