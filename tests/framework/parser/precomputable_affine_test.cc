#include "framework/parser/precomputable_affine.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/tensor/storage.h"

namespace weft {
namespace {

TEST(PrecomputableAffine, FreshWeightsHaveTheSpreadOfTheReference) {
  Context ctx;
  InitRandom random(3);
  const ModelPtr layer = precomputable_affine(64, 64, 3, 2);
  layer->initialize(ctx, {}, {}, random);
  const Tensor& weight = layer->param("W").value;
  const float* w = weight.data<float>();
  double squares = 0;
  for (std::int64_t i = 0; i < weight.size(); ++i) squares += w[i] * w[i];
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(weight.size())), 0.0745, 0.002);
  EXPECT_NEAR(layer->param("b").value.data<float>()[0], -0.257, 0.02);
}

// All rows of the sample at once would take twenty times as much, more than a training.
TEST(PrecomputableAffine, FreshWeightsAreScaledInLittleMemory) {
  Context ctx;
  InitRandom random(3);
  const ModelPtr layer = precomputable_affine(64, 64, 13, 2);
  std::size_t largest = 0;
  fail_allocations([&](std::size_t bytes) {
    largest = std::max(largest, bytes);
    return false;
  });
  layer->initialize(ctx, {}, {}, random);
  fail_allocations({});
  EXPECT_GT(largest, 500'000U);
  EXPECT_LT(largest, 2'000'000U);
}

}  // namespace
}  // namespace weft
