// Which step of a beam search is learnt from, and which analyses of it.
#include "framework/parser/beam_violation.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;
using Entry = BeamViolation::Entry;

std::vector<int> histories(const BeamViolation& violation) {
  std::vector<int> all;
  for (const WeightedHistory& one : violation.analyses()) all.push_back(one.history);
  return all;
}

TEST(BeamViolation, ARightAnalysisInBothBeamsCountsOnce) {
  const std::vector<Entry> predicted = {{3.0F, 1.0F, 0}, {1.0F, 0.0F, 1}},
                           right = {{1.0F, 0.0F, 1}};
  BeamViolation violation;
  violation.look_at(predicted, right);
  ASSERT_THAT(histories(violation), ElementsAre(0, 1));
  const double share = 1.0 / (1.0 + std::exp(-2.0));
  EXPECT_NEAR(violation.analyses()[0].gradient, share, 1e-9);
  EXPECT_NEAR(violation.analyses()[1].gradient, -share, 1e-9);
}

TEST(BeamViolation, AnAnalysisOfTheOtherBeamThatIsWrongIsNoRightOne) {
  const std::vector<Entry> predicted = {{3.0F, 1.0F, 0}};
  BeamViolation violation;
  violation.look_at(predicted, std::vector<Entry>{{1.0F, 0.0F, 1}, {0.5F, 0.5F, 2}});
  EXPECT_THAT(histories(violation), ElementsAre(0, 1));
}

TEST(BeamViolation, TheStepThatIsFurthestWrongIsKeptAlone) {
  const std::vector<Entry> right = {{0.0F, 0.0F, 9}};
  BeamViolation violation;
  violation.look_at(std::vector<Entry>{{1.0F, 1.0F, 0}}, right);
  EXPECT_THAT(histories(violation), ElementsAre(0, 9));
  violation.look_at(std::vector<Entry>{{0.5F, 1.0F, 1}}, right);
  EXPECT_THAT(histories(violation), ElementsAre(0, 9)) << "it is less wrong";
  violation.look_at(std::vector<Entry>{{2.0F, 1.0F, 2}}, right);
  EXPECT_THAT(histories(violation), ElementsAre(2, 9));
  violation.look_at(std::vector<Entry>{{5.0F, 0.0F, 3}}, right);
  EXPECT_THAT(histories(violation), ElementsAre(2, 9)) << "its best prediction is right";
}

}  // namespace
}  // namespace weft
