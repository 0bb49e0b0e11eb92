#include "framework/ops/profile_report.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

std::vector<OpShare> shares() {
  return {{"a", "gemm", 2, 0.5, 100, 10},
          {"b", "gemm", 1, 0.25, 50, 5},
          {"a", "max", 4, 0.2, 0, 7},
          {"", "cast", 1, 0.05, 0, 1}};
}

TEST(ProfileReport, AddsUpByOp) {
  const std::vector<OpShare> ops = by_op(shares());
  ASSERT_EQ(ops.size(), 3U);
  EXPECT_EQ(ops[0].op, "gemm");
  EXPECT_EQ(ops[0].layer, "");
  EXPECT_EQ(ops[0].calls, 3);
  EXPECT_EQ(ops[0].seconds, 0.75);
  EXPECT_EQ(ops[0].flops, 150);
  EXPECT_EQ(ops[0].bytes, 15);
  EXPECT_EQ(ops[2].op, "cast");
}

TEST(ProfileReport, AddsUpByLayerTheLongestFirst) {
  const std::vector<OpShare> layers = by_layer(shares());
  ASSERT_EQ(layers.size(), 3U);
  EXPECT_EQ(layers[0].layer, "a");
  EXPECT_EQ(layers[0].op, "");
  EXPECT_EQ(layers[0].calls, 6);
  EXPECT_DOUBLE_EQ(layers[0].seconds, 0.7);
  EXPECT_EQ(layers[1].layer, "b");
  EXPECT_EQ(layers[2].layer, "");
  EXPECT_DOUBLE_EQ(seconds_of(layers), seconds_of(shares()));
}

TEST(ProfileReport, NothingSeenIsAnEmptyTable) {
  EXPECT_TRUE(by_op({}).empty());
  EXPECT_EQ(seconds_of({}), 0.0);
  EXPECT_EQ(time_table("op", {}, 1.0), "op     calls         ms    time\n");
}

TEST(ProfileReport, TablesAlignAndShowShares) {
  EXPECT_EQ(time_table("layer", by_layer(shares()), 2.0),
            "layer                 calls         ms    time\n"
            "a                         6     700.00   35.0%\n"
            "b                         1     250.00   12.5%\n"
            "outside of layers         1      50.00    2.5%\n");
}

}  // namespace
}  // namespace weft
