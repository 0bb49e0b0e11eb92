#include "framework/ops/context.h"

#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/gradients.h"
#include "framework/ops/elementwise.h"
#include "registry/base/error.h"
#include "tests/framework/devices/fake_device.h"

namespace weft {
namespace {

std::vector<float> values(const Tensor& tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.size()};
}

TEST(ContextTest, RowsOfAMaskAreThoseOfTheirOffsets) {
  Context ctx;
  Gradients gradients;
  CounterMasks masks(3, 5);
  ctx.pass().train(0.3, gradients, masks);
  const std::vector<std::int64_t> offsets = {70, 0, std::int64_t{1} << 40};
  const Tensor rows = ctx.dropout_mask_rows("site", offsets, 7, 0.3);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const Tensor alone = ctx.dropout_mask("site", {7}, 0.3, offsets[i]);
    EXPECT_EQ(values(rows.rows(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i) + 1)),
              values(alone));
  }
  // Other requests at the same time do not matter.
  const std::vector<std::int64_t> last = {offsets[2]};
  EXPECT_EQ(values(ctx.dropout_mask_rows("site", last, 7, 0.3)), values(rows.rows(2, 3)));
}

TEST(ContextTest, ASourceThatKnowsNothingOfRowsFillsTheMaskAsAWhole) {
  class Recorded final : public MaskSource {
   public:
    void fill(std::string_view, std::int64_t offset, double, View mask) override {
      EXPECT_EQ(offset, 0);
      for (std::int64_t i = 0; i < mask.size(); ++i) mask.as<float>()[i] = static_cast<float>(i);
    }
  };
  Context ctx;
  Gradients gradients;
  Recorded masks;
  ctx.pass().train(0.3, gradients, masks);
  const std::vector<std::int64_t> offsets = {500, 100};
  EXPECT_EQ(values(ctx.dropout_mask_rows("site", offsets, 2, 0.3)),
            (std::vector<float>{0, 1, 2, 3}));
}

TEST(ContextTest, MasksBelongToATrainingPass) {
  Context ctx;
  const std::vector<std::int64_t> offsets = {0};
  EXPECT_THROW(ctx.dropout_mask("site", {2}, 0.5), Error);
  EXPECT_THROW(ctx.dropout_mask_rows("site", offsets, 2, 0.5), Error);
}

struct WithoutKernel {
  static constexpr std::string_view name = "test_without_kernel";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, ConstView x, View y);
};

TEST(ContextTest, KnowsWhichOpsHaveAKernelHere) {
  Context ctx;
  EXPECT_TRUE(ctx.has<AddInPlace>());
  EXPECT_FALSE(ctx.has<WithoutKernel>());
}

TEST(ContextTest, NumbersOfANarrowMatrixAreWidenedOnTheHost) {
  const Tensor narrow = cast_to(DType::f16, Tensor::from<float>({1, 2}, {1.5F, -2}));
  Context ctx;
  EXPECT_EQ(ctx.numbers(narrow), (std::vector<float>{1.5F, -2}));
  testing::FakeDevice device;
  Context there(device.make_stream(0));
  EXPECT_EQ(there.numbers(there.placed(narrow)), (std::vector<float>{1.5F, -2}));
}

TEST(ContextTest, APartPredictsInMemoryOfItsOwn) {
  testing::FakeDevice device;
  Context ctx(device.make_stream(0));
  Tensor sum = ctx.placed(Tensor::from<float>({1, 2}, {1, 2}));
  const std::size_t before = ctx.arena().in_use();
  const auto part = ctx.make_part();
  EXPECT_FALSE(part->training());
  const Tensor more = part->placed(Tensor::from<float>({1, 2}, {10, 20}));
  part->run<AddInPlace>(sum.view(), more);
  part->end_step();
  EXPECT_EQ(ctx.arena().in_use(), before);
  EXPECT_EQ(values(ctx.on_host(sum)), (std::vector<float>{11, 22}));
}

}  // namespace
}  // namespace weft
