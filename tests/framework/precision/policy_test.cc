#include "framework/precision/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

PrecisionPolicy policy_at(const std::string& level, LowFormat dtype = LowFormat::fp16) {
  PrecisionSettings settings;
  settings.level = level;
  settings.dtype = dtype;
  return make_precision_policy(settings);
}

TEST(Policy, WithoutABlockNothingIsCastOrScaled) {
  const PrecisionPolicy policy = make_precision_policy(PrecisionSettings{});
  EXPECT_EQ(policy.level, Level::O0);
  EXPECT_EQ(policy.cast_mode(), CastMode::none);
  EXPECT_FALSE(policy.scaling());
  EXPECT_FALSE(policy.skips_non_finite_gradients());
}

TEST(Policy, Fp16LevelsHaveAScalerAndBf16NeedsNone) {
  EXPECT_TRUE(policy_at("O1").scaling()->dynamic);
  EXPECT_TRUE(policy_at("O2").scaling()->dynamic);
  EXPECT_FALSE(policy_at("O3").scaling()->dynamic);  // checks and skips all the same
  EXPECT_EQ(policy_at("O3").scaling()->init_scale, 1.0);
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    EXPECT_FALSE(policy_at(level, LowFormat::bf16).scaling()) << level;
  }
}

TEST(Policy, ANumberReplacesTheDynamicScale) {
  PrecisionSettings settings;
  settings.level = "O2";
  settings.loss_scale = 128.0;
  const auto scaling = make_precision_policy(settings).scaling();
  EXPECT_FALSE(scaling->dynamic);
  EXPECT_EQ(scaling->init_scale, 128.0);
}

TEST(Policy, TheAliasOfKeepNormCounts) {
  PrecisionSettings settings;
  settings.level = "O2";
  EXPECT_EQ(make_precision_policy(settings).keep_norm_fp32, true);
  settings.keep_batchnorm_fp32 = false;
  EXPECT_EQ(make_precision_policy(settings).keep_norm_fp32, false);
}

TEST(Policy, CheckGradientsTurnsStoppingIntoSkipping) {
  PrecisionSettings settings;
  settings.check_gradients = true;
  EXPECT_TRUE(make_precision_policy(settings).skips_non_finite_gradients());
}

TEST(Policy, WarningsStayWithThePolicy) {
  PrecisionSettings settings;
  settings.loss_scale = "dynamic";
  const PrecisionPolicy policy = make_precision_policy(settings);
  ASSERT_EQ(policy.notices.size(), 1U);
  EXPECT_EQ(policy.notices[0].code, "P005");
}

TEST(Policy, EpsIsRaisedForSixteenBitMomentsAlone) {
  PrecisionSettings settings;
  settings.level = "O3";
  Notices notices;
  EXPECT_EQ(optimizer_eps(make_precision_policy(settings), 1e-8, notices), 1e-8);
  settings.optimizer_state = Width::low;
  EXPECT_EQ(optimizer_eps(make_precision_policy(settings), 1e-3, notices), 1e-3);
  EXPECT_TRUE(notices.empty());
  EXPECT_EQ(optimizer_eps(make_precision_policy(settings), 1e-8, notices), 0x1p-13);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices[0].str(),
            "precision: eps 1e-08 is not representable in 16-bit state; using 0.0001220703125 "
            "[P007]");
}

}  // namespace
}  // namespace weft
