#include "framework/precision/ranks.h"

#include <cmath>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Ranks, AgreeWhereScaleAndTrackerDo) {
  EXPECT_TRUE(check_ranks({}).empty());
  const RankScale one[] = {{1024.0F, 3}};
  EXPECT_TRUE(check_ranks(one).empty());
  const RankScale same[] = {{1024.0F, 3}, {1024.0F, 3}, {1024.0F, 3}};
  EXPECT_TRUE(check_ranks(same).empty());
}

TEST(Ranks, ADifferentScaleAnywhereIsAnErrorThatListsAll) {
  for (std::size_t odd = 0; odd < 3; ++odd) {
    RankScale ranks[] = {{65536.0F, 0}, {65536.0F, 0}, {65536.0F, 0}};
    ranks[odd].scale = 32768.0F;
    const Notices notices = check_ranks(ranks);
    ASSERT_EQ(notices.size(), 1U) << odd;
    EXPECT_EQ(notices[0].severity, Severity::error);
    EXPECT_EQ(notices[0].code, "P040");
  }
  const RankScale ranks[] = {{65536.0F, 0}, {32768.0F, 0}, {0.5F, 0}};
  EXPECT_EQ(check_ranks(ranks)[0].str(),
            "precision: ranks disagree on loss scale (65536, 32768, 0.5) [P040]");
}

// Scales that agree today and will not after the next growth.
TEST(Ranks, TrackersHaveToAgreeAsWell) {
  const RankScale ranks[] = {{1024.0F, 3}, {1024.0F, 4}};
  EXPECT_EQ(check_ranks(ranks).at(0).text,
            "precision: ranks disagree on loss scale (1024 after 3, 1024 after 4)");
}

TEST(Ranks, NoNumberIsNoAgreement) {
  const RankScale ranks[] = {{NAN, 0}, {NAN, 0}};
  EXPECT_EQ(check_ranks(ranks).size(), 1U);
}

}  // namespace
}  // namespace weft
