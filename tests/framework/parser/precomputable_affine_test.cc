#include "framework/parser/precomputable_affine.h"

#include <cmath>

#include <gtest/gtest.h>

#include "framework/ops/context.h"

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

}  // namespace
}  // namespace weft
