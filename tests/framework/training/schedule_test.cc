#include "framework/training/schedule.h"

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

TEST(Schedule, ANumberNeverChanges) {
  const Schedule schedule = 0.25;
  EXPECT_TRUE(schedule.is_constant());
  EXPECT_EQ(schedule(0), 0.25);
  EXPECT_EQ(schedule(1'000'000'000), 0.25);
  EXPECT_EQ(Schedule()(3), 0.0);
}

TEST(Schedule, AListIsTakenInTurnAndItsLastValueStays) {
  const Schedule schedule(std::vector<double>{1.0, 0.5, 0.25});
  EXPECT_FALSE(schedule.is_constant());
  EXPECT_EQ(schedule(0), 1.0);
  EXPECT_EQ(schedule(2), 0.25);
  EXPECT_EQ(schedule(99), 0.25);
  EXPECT_EQ(schedule(-1), 1.0);
  EXPECT_THROW(Schedule(std::vector<double>{}), Error);
}

TEST(Schedule, AFunctionIsAskedForEveryStep) {
  const Schedule schedule([](std::int64_t step) { return 1.0 / static_cast<double>(step + 1); });
  EXPECT_EQ(schedule(0), 1.0);
  EXPECT_EQ(schedule(3), 0.25);
}

TEST(Schedule, ConfigsGiveNumbersAndLists) {
  EXPECT_EQ(FieldConversion<Schedule>::from_node(3)(0), 3.0);
  EXPECT_EQ(FieldConversion<Schedule>::from_node(0.5)(7), 0.5);
  List list;
  list.emplace_back(2);
  list.emplace_back(0.5);
  const Schedule schedule = FieldConversion<Schedule>::from_node(list);
  EXPECT_EQ(schedule(0), 2.0);
  EXPECT_EQ(schedule(1), 0.5);
  EXPECT_EQ(FieldConversion<Schedule>::to_node(Schedule(0.5)).as_float(), 0.5);
  EXPECT_THROW(FieldConversion<Schedule>::to_node(schedule), Error);
}

}  // namespace
}  // namespace weft
