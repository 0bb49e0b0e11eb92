#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/precision/policy.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> codes_of(const PrecisionSettings& settings) {
  Notices notices;
  resolve_precision(settings, notices);
  std::vector<std::string> codes;
  for (const Notice& notice : notices) codes.push_back(notice.code);
  return codes;
}

PrecisionSettings at_level(const std::string& level) {
  PrecisionSettings settings;
  settings.level = level;
  return settings;
}

TEST(CheckSettings, ThePlainLevelsAndShorthandsAreSilent) {
  for (const char* level : {"O0", "O1", "O2", "O3", "fp32", "tf32", "bf16"}) {
    EXPECT_THAT(codes_of(at_level(level)), IsEmpty()) << level;
  }
}

TEST(CheckSettings, EveryNumberOutOfRangeIsNamedAtOnce) {
  PrecisionSettings settings = at_level("O1");
  settings.growth_factor = 1.0;
  settings.backoff_factor = 1.0;
  settings.growth_interval = 0;
  settings.min_loss_scale = 8.0;
  settings.max_loss_scale = 4.0;
  settings.loss_scale = "static";
  settings.max_consecutive_skips = 0;
  Notices notices;
  resolve_precision(settings, notices);
  std::vector<std::string> keys;
  for (const Notice& notice : notices) {
    EXPECT_EQ(notice.code, "P008") << notice.text;
    keys.push_back(notice.key);
  }
  EXPECT_THAT(keys, ElementsAre("init_scale", "growth_factor", "backoff_factor", "growth_interval",
                                "max_loss_scale", "max_consecutive_skips", "loss_scale"));
  EXPECT_THAT(notices[0].text,
              HasSubstr("init_scale = 65536 is out of range (at most max_loss_scale = 4)"));
  EXPECT_THAT(notices[4].text, HasSubstr("max_loss_scale = 4 is out of range (at least "
                                         "min_loss_scale = 8)"));
}

TEST(CheckSettings, O1RefusesSettingsAboutWeightsByTheNameThatWasWritten) {
  PrecisionSettings settings = at_level("O1");
  settings.keep_batchnorm_fp32 = false;
  Notices notices;
  resolve_precision(settings, notices);
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_EQ(notices[0].str(),
            "precision: keep_batchnorm_fp32 has no meaning at O1, where weights are f32 [P003]");
}

TEST(CheckSettings, TheTwoNamesOfOneSettingMustAgree) {
  PrecisionSettings settings = at_level("O2");
  settings.keep_norm_fp32 = false;
  settings.keep_batchnorm_fp32 = false;
  EXPECT_THAT(codes_of(settings), IsEmpty());
  settings.keep_batchnorm_fp32 = true;
  EXPECT_THAT(codes_of(settings), ElementsAre(""));
}

TEST(CheckSettings, ScalingIsWarnedOfWhereItIsUselessOrMissing) {
  PrecisionSettings settings = at_level("bf16");
  settings.loss_scale = "dynamic";
  EXPECT_THAT(codes_of(settings), ElementsAre("P005"));
  settings.level = "O0";
  EXPECT_THAT(codes_of(settings), ElementsAre("P005"));
  settings.level = "O2";
  settings.loss_scale = 1.0;
  EXPECT_THAT(codes_of(settings), ElementsAre("P006"));
  settings.level = "O3";  // 1 is its default
  EXPECT_THAT(codes_of(settings), IsEmpty());
}

TEST(CheckSettings, SettingsOfAnotherLevelAreNoted) {
  PrecisionSettings settings = at_level("O0");
  settings.norm_output = Width::low;
  settings.grad_dtype = Width::low;
  settings.optimizer_state = Width::low;
  settings.rules = {{{"match", "*"}, {"compute", "f32"}}};
  Notices notices;
  resolve_precision(settings, notices);
  EXPECT_EQ(notices.size(), 4U);
  EXPECT_FALSE(has_errors(notices));
}

TEST(CheckSettings, ErrorsAreThrownTogetherWithTheirPaths) {
  PrecisionSettings settings = at_level("O0");
  settings.patch_ops = true;
  settings.rules = {{{"match", "*"}}, {{"match", "*"}, {"compute", "fp8"}}};
  try {
    make_precision_policy(settings);
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 3U);
    EXPECT_EQ(error.problems()[0].path, "training.precision.rules");
    EXPECT_EQ(error.problems()[2].path, "training.precision.patch_ops");
    EXPECT_EQ(error.kind(), ErrorKind::config);
  }
}

}  // namespace
}  // namespace weft
