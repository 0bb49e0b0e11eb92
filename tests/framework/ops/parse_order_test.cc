#include "framework/ops/parse_order.h"

#include <span>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/framework/devices/fake_device.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

std::vector<int> sorted(const ParseOrder& order, const std::vector<int>& values) {
  std::vector<int> memory;
  const auto all = order.sorted(std::span<const int>(values), memory);
  return {all.begin(), all.end()};
}

TEST(ParseOrder, TheCpuTakesParsesAsTheyCome) {
  Context ctx;
  const ParseOrder order(ctx, {2, 5, 2, 0});
  EXPECT_THAT(sorted(order, {0, 1, 2, 3}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(order.steps(), ElementsAre(2, 5, 2, 0));
  EXPECT_EQ(order.rows(), 9);
  EXPECT_EQ(order.rounds(ctx).count, 0);
}

TEST(ParseOrder, LongestComeFirstOnADeviceAndEqualOnesKeepTheirOrder) {
  testing::FakeDevice device;
  Context ctx(device.make_stream(0));
  const ParseOrder order(ctx, {2, 5, 2, 0});
  EXPECT_THAT(sorted(order, {0, 1, 2, 3}), ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(order.steps(), ElementsAre(5, 2, 2, 0));
  EXPECT_EQ(order.rows(), 9);
}

TEST(ParseOrder, ARoundHasARowForEachParseThatGoesOn) {
  testing::FakeDevice device;
  Context ctx(device.make_stream(0));
  const auto begins = [&](std::vector<int> steps) {
    const ParseOrder order(ctx, std::move(steps));
    const TransitionRounds rounds = order.rounds(ctx);
    return std::vector<int>(rounds.begin, rounds.begin + rounds.count + 1);
  };
  EXPECT_THAT(begins({3, 2, 2, 0}), ElementsAre(0, 3, 6, 7));
  EXPECT_THAT(begins({1, 1}), ElementsAre(0, 2));
  EXPECT_THAT(begins({}), ElementsAre(0));
}

}  // namespace
}  // namespace weft
