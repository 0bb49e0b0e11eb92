#include "framework/training/profile_gain.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

PrecisionPolicy policy(const std::string& level) {
  PrecisionSettings settings;
  settings.level = level;
  return make_precision_policy(settings);
}

TEST(ProfileGain, ProductsAreRecognisedInAllLayers) {
  const std::vector<OpShare> little = {{"a", "gemm", 1, 0.1, 1, 1},
                                       {"b", "affine", 1, 0.15, 1, 1},
                                       {"a", "layer_norm_forward", 1, 0.4, 0, 1},
                                       {"b", "layer_norm_forward", 1, 0.2, 0, 1},
                                       {"b", std::string(OpProfile::casts), 1, 0.15, 0, 1}};
  const Notices notices = check_gain(policy("O2"), little);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices[0].str(),
            "precision: 16-bit products are 25 % of step time; O2 cannot help much here (largest: "
            "layer_norm_forward 60 %) [P070]");
}

TEST(ProfileGain, IsSilentWhereProductsAreAThird) {
  const std::vector<OpShare> enough = {{"a", "gemm", 1, 0.3, 1, 1}, {"a", "max", 1, 0.7, 0, 1}};
  EXPECT_TRUE(check_gain(policy("O1"), enough).empty());
}

TEST(ProfileGain, IsSilentWithoutSixteenBitsAndWithoutAProfile) {
  const std::vector<OpShare> little = {{"a", "softmax_forward", 1, 0.7, 0, 1}};
  EXPECT_EQ(check_gain(policy("bf16"), little).size(), 1U);
  EXPECT_TRUE(check_gain(policy("O0"), little).empty());
  EXPECT_TRUE(check_gain(policy("tf32"), little).empty());
  EXPECT_TRUE(check_gain(policy("O1"), std::vector<OpShare>()).empty());
}

}  // namespace
}  // namespace weft
