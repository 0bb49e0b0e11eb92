#include "framework/precision/capability.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

PrecisionPolicy policy_at(const std::string& level) {
  PrecisionSettings settings;
  settings.level = level;
  return make_precision_policy(settings);
}

DeviceProperties gpu(int major, int minor, bool units = true) {
  return {DeviceProperties::Kind::cuda, "Test GPU", major, minor, units};
}

std::string code(const Notices& notices) {
  return notices.empty() ? "" : notices.front().code;
}

TEST(Capability, Fp16NeedsArithmeticAndWantsMatrixUnits) {
  EXPECT_EQ(code(check_device(policy_at("O1"), gpu(5, 0))), "P020");
  for (const int minor : {0, 1, 2}) {
    EXPECT_EQ(code(check_device(policy_at("O1"), gpu(6, minor))), "P021") << minor;
  }
  EXPECT_EQ(code(check_device(policy_at("O1"), gpu(7, 0))), "");
  EXPECT_EQ(code(check_device(policy_at("O2"), gpu(7, 5, false))), "P021");
  EXPECT_EQ(code(check_device(policy_at("O3"), gpu(9, 0))), "");
}

TEST(Capability, Bf16AndTf32NeedEightPointZero) {
  const Notices refused = check_device(policy_at("bf16"), gpu(7, 5));
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused[0].severity, Severity::error);
  EXPECT_EQ(refused[0].str(),
            "precision: Test GPU (compute capability 7.5) does not support bf16 at O1; minimum 8.0 "
            "[P020]");
  EXPECT_EQ(code(check_device(policy_at("tf32"), gpu(7, 5))), "P020");
  EXPECT_EQ(code(check_device(policy_at("bf16"), gpu(8, 0))), "");
  EXPECT_EQ(code(check_device(policy_at("tf32"), gpu(10, 0))), "");
}

TEST(Capability, O0RunsAnywhereAndACpuEmulatesTheRest) {
  EXPECT_TRUE(check_device(policy_at("O0"), gpu(5, 0)).empty());
  EXPECT_TRUE(check_device(policy_at("O0"), {}).empty());
  const Notices emulated = check_device(policy_at("O2"), {});
  EXPECT_EQ(code(emulated), "P023");
  EXPECT_FALSE(has_errors(emulated));
}

TEST(Capability, ConstantsAreCheckedWhereFp16IsStored) {
  EXPECT_EQ(code(check_constant(policy_at("O1"), "eps", 1e-8)), "P050");
  EXPECT_EQ(code(check_constant(policy_at("O1"), "mask", -1e9)), "P051");
  EXPECT_EQ(code(check_constant(policy_at("O1"), "eps", 1e-5)), "");
  EXPECT_EQ(code(check_constant(policy_at("O1"), "L2", 0.0)), "");
  EXPECT_EQ(code(check_constant(policy_at("bf16"), "mask", -1e9)), "");
  EXPECT_EQ(code(check_constant(policy_at("O0"), "eps", 1e-8)), "");
}

TEST(Capability, LittleToGainIsSaid) {
  const OpTime profile[] = {{"affine", 2.0, true}, {"hash_embed_gather", 5.0}, {"softmax", 3.0}};
  const Notices notices = check_gain(policy_at("O1"), profile);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices[0].str(),
            "precision: 16-bit products are 20 % of step time; O1 cannot help much here (largest: "
            "hash_embed_gather 50 %) [P070]");
  const OpTime good[] = {{"affine", 3.0, true}, {"softmax", 7.0}};
  EXPECT_TRUE(check_gain(policy_at("O1"), good).empty());
  EXPECT_TRUE(check_gain(policy_at("O0"), profile).empty());
  EXPECT_TRUE(check_gain(policy_at("O1"), {}).empty());
}

}  // namespace
}  // namespace weft
