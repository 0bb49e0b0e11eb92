#include "framework/precision/op_policy.h"

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using enum NumberFormat;
using Formats = std::vector<NumberFormat>;

PrecisionPolicy policy_at(const std::string& level, std::optional<Width> norm_output = {}) {
  PrecisionSettings settings;
  settings.level = level;
  settings.norm_output = norm_output;
  return make_precision_policy(settings);
}

CastFormats plan(const OpPolicy& op, const std::string& level, const Formats& inputs,
                 Compute compute = Compute::automatic) {
  return cast_formats(op, policy_at(level), compute, inputs);
}

TEST(OpPolicy, O1CastsInputsByCategory) {
  const auto low = plan(declare_op("affine", Category::low), "O1", {f32, f16});
  EXPECT_EQ(low.inputs, (Formats{f16, f16}));
  EXPECT_EQ(low.output, f16);
  const auto wide = plan(declare_op("exp", Category::f32), "O1", {f16});
  EXPECT_EQ(wide.inputs, Formats{f32});
  EXPECT_EQ(wide.output, f32);
  const auto widest = plan(declare_op("stack", Category::promote), "O1", {f16, f32, f16});
  EXPECT_EQ(widest.inputs, (Formats{f32, f32, f32}));
  EXPECT_EQ(widest.output, f32);
  const auto first = plan(declare_op("add_to", Category::match_first), "O1", {f16, f32});
  EXPECT_EQ(first.inputs, (Formats{f16, f16}));
  EXPECT_EQ(first.output, f16);
  const auto any = plan(declare_op("relu", Category::any), "O1", {f16, f32});
  EXPECT_EQ(any.inputs, (Formats{f16, f32}));
  EXPECT_EQ(any.output, f16);
}

TEST(OpPolicy, WithoutListsAnOpTakesWhatItGets) {
  for (const char* level : {"O2", "O3"}) {
    const auto low = plan(declare_op("exp", Category::f32), level, {f16});
    EXPECT_EQ(low.inputs, Formats{f16});
    EXPECT_EQ(low.output, f16);
    EXPECT_EQ(plan(declare_op("affine", Category::low), level, {f32}).output, f32);
  }
}

TEST(OpPolicy, AlwaysF32IsF32Everywhere) {
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const Compute compute : {Compute::automatic, Compute::low}) {
      const auto softmax = plan(declare_op("softmax", Category::f32, true), level, {f16}, compute);
      EXPECT_EQ(softmax.inputs, Formats{f32}) << level;
      EXPECT_EQ(softmax.output, f32) << level;
    }
  }
}

TEST(OpPolicy, O0TouchesNothing) {
  const auto untouched = plan(declare_op("affine", Category::low), "O0", {f32, f32}, Compute::low);
  EXPECT_EQ(untouched.inputs, (Formats{f32, f32}));
  EXPECT_EQ(untouched.output, f32);
}

TEST(OpPolicy, ABannedOpIsRefusedForSixteenBitInputsWhateverTheRules) {
  const OpPolicy banned = declare_op("binary_cross_entropy", Category::banned);
  for (const Compute compute : {Compute::automatic, Compute::f32, Compute::low}) {
    EXPECT_THROW(plan(banned, "O1", {f32, f16}, compute), Error);
    EXPECT_THROW(plan(banned, "O2", {f16}, compute), Error);
    EXPECT_EQ(plan(banned, "O1", {f32, f32}, compute).output, f32);
  }
}

TEST(OpPolicy, RulesChangeTheOpsOfTheirLayer) {
  const OpPolicy affine = declare_op("affine", Category::low);
  EXPECT_EQ(plan(affine, "O1", {f16}, Compute::f32).output, f32);
  const auto inside = plan(affine, "O2", {f16}, Compute::f32);
  EXPECT_EQ(inside.inputs, Formats{f32});
  EXPECT_EQ(inside.output, f16);  // the next layer sees no difference
  const auto norm = plan(declare_op("layer_norm", Category::f32), "O1", {f32}, Compute::low);
  EXPECT_EQ(norm.inputs, Formats{f16});
  EXPECT_EQ(norm.output, f16);
}

TEST(OpPolicy, AnUndeclaredOpRunsInF32AndIsCastBack) {
  const OpPolicy op = undeclared_op("plugin_op.v1");
  EXPECT_EQ(plan(op, "O1", {f16}).output, f32);
  const auto cast_back = plan(op, "O3", {f16, f32});
  EXPECT_EQ(cast_back.inputs, (Formats{f32, f32}));
  EXPECT_EQ(cast_back.output, f16);
}

TEST(OpPolicy, NormOutputIsAnAffairOfO1) {
  OpPolicy norm = declare_op("layer_norm", Category::f32);
  norm.follows_norm_output = true;
  const Formats inputs = {f32};
  EXPECT_EQ(cast_formats(norm, policy_at("O1"), Compute::automatic, inputs).output, f32);
  EXPECT_EQ(cast_formats(norm, policy_at("O1", Width::low), Compute::automatic, inputs).output,
            f16);
}

TEST(OpPolicy, TheTwoSixteenBitFormatsMeetInF32) {
  EXPECT_EQ(widest_of(f16, f16), f16);
  EXPECT_EQ(widest_of(f16, bf16), f32);
  EXPECT_EQ(widest_of(bf16, f32), f32);
}

}  // namespace
}  // namespace weft
