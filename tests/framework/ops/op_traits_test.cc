// The declarations of ops in their structs.
#include <gtest/gtest.h>

#include "framework/ops/elementwise.h"
#include "framework/ops/gather.h"
#include "framework/ops/hash_embed.h"
#include "framework/ops/kernel.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/transition_steps.h"

namespace weft {
namespace {

struct AcmeOp {
  static constexpr std::string_view name = "acme_op";
  static constexpr Category category = Category::promote;
};
struct AcmeSilent {
  static constexpr std::string_view name = "acme_silent";
};

TEST(OpTraits, OutputsFollowFromTheCategoryUnlessTheOpSaysOtherwise) {
  EXPECT_EQ(traits_of<AcmeOp>().output_per_op, FormatRule::widest);
  EXPECT_EQ(traits_of<AcmeOp>().output_whole_model, FormatRule::low);
  EXPECT_EQ(traits_of<GatherSum>().output_per_op, FormatRule::f32);
  EXPECT_EQ(traits_of<GatherSum>().output_whole_model, FormatRule::low);
  EXPECT_EQ(traits_of<StateScores>().output_whole_model, FormatRule::f32);
}

TEST(OpTraits, OpsSayWhatElseTheyAre) {
  EXPECT_TRUE(traits_of<ScatterAddRows>().always_f32);
  EXPECT_TRUE(traits_of<LayerNormBackward>().follows_norm_output);
  EXPECT_TRUE(traits_of<StateScores>().gives_logits);
  EXPECT_FALSE(traits_of<CopyRows>().accumulates);
  const OpTraits own = traits_of<AcmeOp>();
  EXPECT_TRUE(own.declared);
  EXPECT_TRUE(own.accumulates);
  EXPECT_FALSE(own.always_f32 || own.follows_norm_output || own.gives_logits || own.any_format);
}

TEST(OpTraits, WithoutACategoryAnOpIsUndeclared) {
  EXPECT_FALSE(traits_of<AcmeSilent>().declared);
  EXPECT_EQ(traits_of<AcmeSilent>().category, Category::f32);
}

// Every kernel of ours is known to the policy.
TEST(OpTraits, NoKernelOfOursIsUndeclared) {
  for (const KernelSlot* slot : kernel_slots()) {
    if (slot->name.starts_with("test_")) continue;
    EXPECT_TRUE(slot->declared) << slot->name;
  }
}

}  // namespace
}  // namespace weft
