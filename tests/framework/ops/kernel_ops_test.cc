#include "framework/ops/kernel_ops.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(KernelOps, KernelsBelongToTheOpsOfTheTable) {
  EXPECT_EQ(declaration_of({.name = "gather_sum"}).name, "hash_embed_gather");
  EXPECT_EQ(declaration_of({.name = "layer_norm_backward"}).name, "layer_norm");
  EXPECT_TRUE(declaration_of({.name = "scatter_add_rows"}).always_f32);
  EXPECT_EQ(declaration_of({.name = "parser_upper"}).output_whole_model, FormatRule::f32);
}

TEST(KernelOps, OthersAreWhatTheySay) {
  const OpPolicy own = declaration_of({.name = "acme_op", .category = Category::promote});
  EXPECT_TRUE(own.declared);
  EXPECT_EQ(own.category, Category::promote);
  EXPECT_EQ(own.output_per_op, FormatRule::widest);
}

TEST(KernelOps, WithoutACategoryAnOpIsUndeclared) {
  const OpPolicy op = declaration_of({.name = "acme_silent", .declared = false});
  EXPECT_FALSE(op.declared);
  EXPECT_EQ(op.category, Category::f32);
}

// Every kernel of ours is known to the policy.
TEST(KernelOps, NoKernelOfOursIsUndeclared) {
  for (const KernelSlot* slot : kernel_slots()) {
    if (slot->name.starts_with("test_")) continue;
    EXPECT_TRUE(declaration_of(*slot).declared) << slot->name;
  }
}

}  // namespace
}  // namespace weft
