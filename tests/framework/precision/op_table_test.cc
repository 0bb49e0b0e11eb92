#include "framework/precision/op_table.h"

#include <set>

#include <gtest/gtest.h>

namespace weft {
namespace {

PrecisionPolicy policy_at(const std::string& level) {
  PrecisionSettings settings;
  settings.level = level;
  return make_precision_policy(settings);
}

TEST(OpTable, OurOpsHaveDistinctNames) {
  std::set<std::string_view> names;
  for (const OpPolicy& op : own_ops()) EXPECT_TRUE(names.insert(op.name).second) << op.name;
  EXPECT_EQ(names.size(), own_ops().size());
  EXPECT_TRUE(names.contains("maxout"));
}

TEST(OpTable, AnUnknownOpIsReportedOnce) {
  OpTable table;
  Notices notices;
  EXPECT_FALSE(table.find("mine.v1", notices).declared);
  EXPECT_FALSE(table.find("mine.v1", notices).declared);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices[0].str(),
            "precision: op mine.v1 has no declared category; running in f32 [P010]");
}

TEST(OpTable, PluginsDeclareUntilTheModelIsBuilt) {
  OpTable table;
  EXPECT_TRUE(table.declare("mine.v1", declare_op("", Category::low)).empty());
  EXPECT_EQ(table.declare("maxout", declare_op("", Category::low)).size(), 1U);
  table.close();
  const Notices late = table.declare("mine.v2", declare_op("", Category::low));
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].code, "P011");
  Notices notices;
  const OpPolicy op = table.find("mine.v1", notices);
  EXPECT_EQ(op.name, "mine.v1");
  EXPECT_EQ(op.category, Category::low);
  EXPECT_TRUE(notices.empty());
}

TEST(OpTable, WithoutALowKernelTheOpRunsInF32) {
  OpTable table;
  ASSERT_TRUE(table.declare("mine.v1", declare_op("", Category::low)).empty());
  const NumberFormat only_f32[] = {NumberFormat::f32};
  Notices notices;
  EXPECT_TRUE(table.find("mine.v1", policy_at("O0"), only_f32, notices).declared);
  EXPECT_TRUE(table.find("exp", policy_at("O1"), only_f32, notices).declared);
  EXPECT_TRUE(notices.empty());
  EXPECT_FALSE(table.find("mine.v1", policy_at("O1"), only_f32, notices).declared);
  EXPECT_FALSE(table.find("mine.v1", policy_at("O2"), only_f32, notices).declared);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices[0].str(), "precision: op mine.v1 has no fp16 kernel; running in f32 [P012]");
  const NumberFormat both[] = {NumberFormat::f32, NumberFormat::f16};
  EXPECT_TRUE(table.find("mine.v1", policy_at("O1"), both, notices).declared);
}

}  // namespace
}  // namespace weft
