// Every schedule against values worked out by hand from its formula.
#include <cmath>

#include <gtest/gtest.h>

#include "framework/training/schedule.h"
#include "tests/components/building.h"

namespace weft {
namespace {

using testing::build;

TEST(Schedules, Constant) {
  const auto schedule = build<Schedule>("@schedules = \"constant.v1\"\nrate = 0.5\n");
  EXPECT_EQ(schedule(0), 0.5);
  EXPECT_EQ(schedule(1000000), 0.5);
}

TEST(Schedules, ConstantThenStartsTheOtherAtItsBeginning) {
  const auto schedule = build<Schedule>(
      "@schedules = \"constant_then.v1\"\nrate = 9\nsteps = 2\n[block.schedule]\n"
      "@schedules = \"compounding.v1\"\nstart = 1\nstop = 8\ncompound = 2\n");
  const double expected[] = {9, 9, 1, 2, 4, 8, 8};
  for (int step = 0; step < 7; ++step) EXPECT_EQ(schedule(step), expected[step]) << step;
}

TEST(Schedules, CompoundingStopsFromBothSides) {
  const auto up = build<Schedule>(
      "@schedules = \"compounding.v1\"\nstart = 100\nstop = 1000\ncompound = 1.001\n");
  EXPECT_EQ(up(0), 100.0);
  EXPECT_NEAR(up(1), 100.1, 1e-12);
  EXPECT_EQ(up(5000), 1000.0);
  const auto down =
      build<Schedule>("@schedules = \"compounding.v1\"\nstart = 1\nstop = 0.25\ncompound = 0.5\n");
  EXPECT_EQ(down(1), 0.5);
  EXPECT_EQ(down(7), 0.25);
}

// A power rounds otherwise: 100·1.4² is 195.99999999999997.
TEST(Schedules, CompoundingMultipliesStepByStep) {
  const auto built = [](const std::string& start, const std::string& stop,
                        const std::string& factor) {
    return build<Schedule>("@schedules = \"compounding.v1\"\nstart = " + start +
                           "\nstop = " + stop + "\ncompound = " + factor + "\n");
  };
  EXPECT_EQ(built("100", "1000", "1.4")(2), 196.0);
  const auto slow = built("100", "1000", "1.001"), down = built("1", "0", "0.99");
  const auto away = built("8", "9", "0.5"), up = built("9", "8", "2");
  double slow_value = 100.0, down_value = 1.0;
  for (int step = 0; step < 3000; ++step) {
    EXPECT_EQ(slow(step), std::min(slow_value, 1000.0)) << step;
    EXPECT_EQ(down(step), down_value) << step;
    slow_value *= 1.001;
    down_value *= 0.99;
  }
  EXPECT_EQ(away(3), 1.0);
  EXPECT_EQ(away(100'000), 0.0);
  EXPECT_EQ(up(3), 72.0);
  EXPECT_EQ(built("0", "8", "2")(5000), 0.0);
  EXPECT_EQ(built("3", "8", "1")(5000), 3.0);
  const auto long_way = built("100", "1000", "1.0000001");
  EXPECT_NEAR(long_way(4'000'000), 100 * std::pow(1.0000001, 4e6), 1e-6);
  EXPECT_NEAR(long_way(5'000'000), 100 * std::pow(1.0000001, 5e6), 1e-6);
}

TEST(Schedules, Decaying) {
  const auto schedule =
      build<Schedule>("@schedules = \"decaying.v1\"\nbase_rate = 0.1\ndecay = 0.5\nt = 2\n");
  EXPECT_DOUBLE_EQ(schedule(0), 0.1 / 2.0);
  EXPECT_DOUBLE_EQ(schedule(4), 0.1 / 4.0);
}

TEST(Schedules, WarmupLinearStartsAtZeroAndEndsThere) {
  const auto schedule = build<Schedule>(
      "@schedules = \"warmup_linear.v1\"\ninitial_rate = 2\nwarmup_steps = 4\ntotal_steps = 12\n");
  const double expected[] = {0, 0.5, 1, 1.5, 2, 1.75};
  for (int step = 0; step < 6; ++step) EXPECT_DOUBLE_EQ(schedule(step), expected[step]) << step;
  EXPECT_EQ(schedule(12), 0.0);
  EXPECT_EQ(schedule(50), 0.0);
}

TEST(Schedules, SlantedTriangularPeaksAtTheCut) {
  const auto schedule = build<Schedule>(
      "@schedules = \"slanted_triangular.v1\"\nmax_rate = 1\nnum_steps = 100\ncut_frac = 0.1\n");
  EXPECT_DOUBLE_EQ(schedule(0), (1 + 0.1 * 31) / 32);
  EXPECT_DOUBLE_EQ(schedule(9), 1.0);  // k' = 10 = cut
  EXPECT_NEAR(schedule(54), (1 + 0.5 * 31) / 32, 1e-12);
}

TEST(Schedules, CyclicTriangularReturns) {
  const auto schedule = build<Schedule>(
      "@schedules = \"cyclic_triangular.v1\"\nmin_lr = 0\nmax_lr = 1\nperiod = 4\n");
  EXPECT_DOUBLE_EQ(schedule(0), 0.25);
  EXPECT_DOUBLE_EQ(schedule(3), 1.0);
  EXPECT_DOUBLE_EQ(schedule(7), 0.0);
  EXPECT_DOUBLE_EQ(schedule(11), 1.0);
}

TEST(Schedules, ListsGoOnWithTheirLastValue) {
  const Schedule schedule(std::vector<double>{3, 2, 1});
  EXPECT_EQ(schedule(1), 2.0);
  EXPECT_EQ(schedule(99), 1.0);
}

}  // namespace
}  // namespace weft
