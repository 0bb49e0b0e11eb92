#include "framework/ops/op_profile.h"

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/ops/gemm.h"

namespace weft {
namespace {

TEST(OpProfileTest, AddsUpByLayerAndOpTheLongestFirst) {
  using std::chrono::milliseconds;
  OpProfile profile;
  profile.add("a", "gemm", milliseconds(2), 10, 100);
  profile.add("b", "gemm", milliseconds(7), 1, 1);
  profile.add("a", "gemm", milliseconds(3), 20, 200);
  const std::vector<OpShare> shares = profile.shares();
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_EQ(shares[0].layer, "b");
  EXPECT_EQ(shares[1].op, "gemm");
  EXPECT_EQ(shares[1].calls, 2);
  EXPECT_NEAR(shares[1].seconds, 0.005, 1e-9);
  EXPECT_EQ(shares[1].flops, 30);
  EXPECT_EQ(shares[1].bytes, 300);
}

TEST(OpProfileTest, ContextsReportWhileTheScopeLives) {
  const Tensor x = Tensor::zeros({5, 3}), w = Tensor::zeros({4, 3});
  Tensor y = Tensor::zeros({5, 4});
  OpProfile profile;
  {
    const ProfileScope scope(profile);
    Context ctx;
    ctx.run<Gemm>(x, Transpose::no, w, Transpose::yes, y.view(), 0.0F);
  }
  Context later;
  later.run<Gemm>(x, Transpose::no, w, Transpose::yes, y.view(), 0.0F);
  const std::vector<OpShare> shares = profile.shares();
  ASSERT_EQ(shares.size(), 1u);
  EXPECT_EQ(shares[0].op, "gemm");
  EXPECT_EQ(shares[0].calls, 1);
  EXPECT_EQ(shares[0].flops, 2.0 * 5 * 4 * 3);
  EXPECT_EQ(shares[0].bytes, 4.0 * (15 + 12 + 20));
  EXPECT_EQ(OpProfile::current(), nullptr);
}

TEST(OpProfileTest, TransposedProductsCountTheSame) {
  EXPECT_EQ(Gemm::flops(Tensor::zeros({3, 5}), Transpose::yes, {}, Transpose::no,
                        Tensor::zeros({5, 4}).view(), 0.0F),
            2.0 * 5 * 4 * 3);
  EXPECT_EQ(Affine::flops(Tensor::zeros({5, 3}), {}, {}, Tensor::zeros({5, 4}).view()),
            2.0 * 5 * 4 * 3);
}

}  // namespace
}  // namespace weft
