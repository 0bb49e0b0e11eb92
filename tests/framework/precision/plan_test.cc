#include "framework/precision/plan.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

const OpPolicy maxout = declare_op("maxout", Category::low);

PlanLine line_of(const PrecisionSettings& settings, const OpPolicy& op,
                 const std::string& path = "components.ner.model.maxout") {
  return plan_op(make_precision_policy(settings), path, op);
}

TEST(Plan, SaysWhatDecided) {
  PrecisionSettings settings;
  EXPECT_EQ(line_of(settings, maxout).decided_by, "O0");
  settings.level = "O1";
  settings.rules = {{{"match", "*.other"}, {"compute", "low"}},
                    {{"match", "components.ner.*"}, {"compute", "f32"}}};
  const PlanLine line = line_of(settings, maxout);
  EXPECT_EQ(line.decided_by, "rule 2 (components.ner.*)");
  EXPECT_EQ(line.input, "f32");
  EXPECT_EQ(line.output, "f32");
  EXPECT_EQ(line_of(settings, declare_op("softmax", Category::f32, true)).decided_by, "always f32");
  EXPECT_EQ(line_of(settings, maxout, "components.tagger.model").decided_by, "O1");
  EXPECT_EQ(line_of(settings, undeclared_op("nobody's.v1"), "x").decided_by, "undeclared");
}

TEST(Plan, ShowsTheFormatOfTheRun) {
  PrecisionSettings settings;
  settings.level = "bf16";
  const PlanLine line = line_of(settings, maxout);
  EXPECT_EQ(line.input, "bf16");
  EXPECT_EQ(line.accumulator, "f32");
  EXPECT_EQ(line.output, "bf16");
  OpPolicy copy = declare_op("concatenate", Category::promote);
  copy.accumulates = false;
  EXPECT_EQ(line_of(settings, copy).accumulator, "");
  settings.level = "tf32";
  EXPECT_EQ(line_of(settings, maxout).input, "tf32");
  EXPECT_EQ(line_of(settings, declare_op("relu", Category::any)).input, "f32");
}

TEST(Plan, PadsTheInnerDimensionOfSixteenBitWeights) {
  PrecisionSettings settings;
  settings.level = "O2";
  const auto policy = make_precision_policy(settings);
  EXPECT_EQ(plan_parameter(policy, "x", "W", ParameterKind::weight, {3, 97}).padded,
            (std::vector<std::int64_t>{3, 104}));
  EXPECT_EQ(plan_parameter(policy, "x", "G", ParameterKind::norm, {97}).padded,
            (std::vector<std::int64_t>{97}));
  EXPECT_EQ(padded_size(96, NumberFormat::bf16), 96);
}

}  // namespace
}  // namespace weft
