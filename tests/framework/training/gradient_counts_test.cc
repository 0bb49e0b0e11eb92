#include "framework/training/gradient_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"

namespace weft {
namespace {

TEST(GradientCounts, TellTheShareOfThoseThatCameTooLate) {
  EXPECT_EQ(GradientCounts{}.stale_share(), 0.0);
  const GradientCounts counts{.used = 30, .stale = 10};
  EXPECT_EQ(counts.stale_share(), 0.25);
  EXPECT_EQ(to_json(Node(log_line(counts))), R"({"gradients": {"used": 30, "stale": 10}})");
  EXPECT_THAT(stale_message(counts), ::testing::StartsWith("25 % of the gradients came too late"));
}

}  // namespace
}  // namespace weft
