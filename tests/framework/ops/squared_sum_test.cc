#include "framework/ops/squared_sum.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/framework/devices/fake_device.h"

namespace weft {
namespace {

std::vector<double> sums_of(Context& ctx, const std::vector<Tensor>& arrays) {
  std::vector<double> taken;
  squared_sum(ctx, arrays, [&](double sum) { taken.push_back(sum); });
  ctx.finish_reads();
  return taken;
}

std::vector<Tensor> two_arrays() {
  return {Tensor::from<float>({2, 2}, {1, -2, 3, 0}), Tensor::from<float>({1, 2}, {5, 0.5F})};
}

TEST(SquaredSum, IsHandedOverOnceForAllArrays) {
  Context ctx;
  EXPECT_EQ(sums_of(ctx, two_arrays()), std::vector<double>{39.25});
  EXPECT_EQ(sums_of(ctx, {cast_to(DType::f16, two_arrays()[0])}), std::vector<double>{14.0});
  EXPECT_EQ(sums_of(ctx, {}), std::vector<double>{0.0});
}

TEST(SquaredSum, OnADeviceWhenThePassHasRun) {
  testing::FakeDevice device;
  Context ctx(device.make_stream(0));
  std::vector<Tensor> arrays = two_arrays();
  for (Tensor& array : arrays) array = ctx.placed(array);
  EXPECT_EQ(sums_of(ctx, arrays), std::vector<double>{39.25});
}

}  // namespace
}  // namespace weft
