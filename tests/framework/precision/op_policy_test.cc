// Formats by category, level and rule; op_casts_test.cc has the casts that follow from them.
#include "framework/precision/op_policy.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

constexpr FormatRule f32 = FormatRule::f32, low = FormatRule::low, input = FormatRule::input;

PrecisionPolicy policy_at(const std::string& level, std::optional<Width> norm_output = {}) {
  PrecisionSettings settings;
  settings.level = level;
  settings.norm_output = norm_output;
  return make_precision_policy(settings);
}

OpFormats formats_at(const std::string& level, const OpPolicy& op,
                     Compute compute = Compute::automatic) {
  return formats_of(op, policy_at(level), compute);
}

TEST(OpPolicy, O1CastsInputsByCategory) {
  const auto at_o1 = [](Category category) { return formats_at("O1", declare_op("op", category)); };
  EXPECT_EQ(at_o1(Category::low), (OpFormats{low, low}));
  EXPECT_EQ(at_o1(Category::f32), (OpFormats{f32, f32}));
  EXPECT_EQ(at_o1(Category::promote), (OpFormats{FormatRule::widest, FormatRule::widest}));
  EXPECT_EQ(at_o1(Category::match_first), (OpFormats{input, input, true}));
  EXPECT_EQ(at_o1(Category::any), (OpFormats{input, input}));
}

TEST(OpPolicy, WithoutListsAnOpTakesWhatItGets) {
  for (const char* level : {"O2", "O3"}) {
    for (const Category category : {Category::low, Category::f32, Category::any}) {
      EXPECT_EQ(formats_at(level, declare_op("op", category)), (OpFormats{input, low})) << level;
    }
    EXPECT_EQ(formats_at(level, declare_op("add_to", Category::match_first)),
              (OpFormats{input, low, true}));
  }
}

TEST(OpPolicy, AlwaysF32IsF32Everywhere) {
  const OpPolicy softmax = declare_op("softmax", Category::f32, true);
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const Compute compute : {Compute::automatic, Compute::low}) {
      EXPECT_EQ(formats_at(level, softmax, compute), (OpFormats{f32, f32})) << level;
    }
  }
}

TEST(OpPolicy, O0TouchesNothing) {
  EXPECT_EQ(formats_at("O0", declare_op("affine", Category::low), Compute::low),
            (OpFormats{input, f32}));
}

TEST(OpPolicy, ABannedOpIsRefusedWhateverTheRules) {
  const OpPolicy banned = declare_op("binary_cross_entropy", Category::banned);
  for (const Compute compute : {Compute::automatic, Compute::f32, Compute::low}) {
    for (const char* level : {"O1", "O2"}) {
      EXPECT_EQ(formats_at(level, banned, compute),
                (OpFormats{FormatRule::error, FormatRule::error}));
    }
  }
}

TEST(OpPolicy, RulesChangeTheOpsOfTheirLayer) {
  const OpPolicy affine = declare_op("affine", Category::low);
  EXPECT_EQ(formats_at("O1", affine, Compute::f32), (OpFormats{f32, f32}));
  // The next layer sees no difference.
  EXPECT_EQ(formats_at("O2", affine, Compute::f32), (OpFormats{f32, low}));
  EXPECT_EQ(formats_at("O1", declare_op("layer_norm", Category::f32), Compute::low),
            (OpFormats{low, low}));
}

TEST(OpPolicy, AnUndeclaredOpRunsInF32AndIsCastBack) {
  const OpPolicy op = undeclared_op("plugin_op.v1");
  EXPECT_EQ(formats_at("O1", op), (OpFormats{f32, f32}));
  EXPECT_EQ(formats_at("O3", op), (OpFormats{f32, low}));
}

TEST(OpPolicy, NormOutputIsAnAffairOfO1) {
  OpPolicy norm = declare_op("layer_norm", Category::f32);
  norm.follows_norm_output = true;
  EXPECT_EQ(formats_of(norm, policy_at("O1")).output, f32);
  EXPECT_EQ(formats_of(norm, policy_at("O1", Width::low)).output, low);
}

}  // namespace
}  // namespace weft
