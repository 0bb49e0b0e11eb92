// Which setting an override has to name.
#include "framework/pipeline/setting_behind.h"

#include <gtest/gtest.h>

#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

TEST(SettingBehind, FollowsAValueThatIsAVariable) {
  Problems problems;
  const Config config = read_cfg(
      "[paths]\ntrain = null\nroot = \"/x\"\nother = ${paths.train}\nloop = ${paths.loop}\n"
      "[corpora]\na = ${paths.train}\nb = ${paths.other}\nc = \"${paths.root}/x\"\nd = \"e\"\n",
      "test", problems, {.interpolate = false});
  EXPECT_EQ(setting_behind(config, "corpora.a"), "paths.train");
  EXPECT_EQ(setting_behind(config, "corpora.b"), "paths.train");
  EXPECT_EQ(setting_behind(config, "corpora.c"), "corpora.c");
  EXPECT_EQ(setting_behind(config, "corpora.d"), "corpora.d");
  EXPECT_EQ(setting_behind(config, "corpora.none"), "corpora.none");
  EXPECT_EQ(setting_behind(config, "paths.loop"), "paths.loop");
}

}  // namespace
}  // namespace weft
