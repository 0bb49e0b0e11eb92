// Faults of settings that a run finds are told with the places that the settings have.
#include "framework/pipeline/setting_error.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

Config config() {
  Problems problems;
  return read_cfg(
      "[paths]\nvectors = \"x\"\n[initialize]\nvectors = ${paths.vectors}\n"
      "[training]\nfrozen_components = [\"ner\"]\n[training.optimizer]\n",
      "a.cfg", problems, {.interpolate = false});
}

std::string told(const Error& error) {
  try {
    telling_places(config(), [&] { throw error; });
  } catch (const Error& placed) {
    EXPECT_EQ(placed.kind(), error.kind());
    return placed.what();
  }
  return "";
}

TEST(SettingError, NamesSettingAndSuggestion) {
  EXPECT_STREQ(setting_error("training.frozen_components", "there is no 'nor'", "ner").what(),
               "[training] frozen_components: there is no 'nor' (did you mean ner?)");
}

TEST(SettingError, IsPlacedAtTheValueOrTheVariableBehindIt) {
  EXPECT_EQ(told(setting_error("training.frozen_components", "no")),
            "a.cfg:6:21  [training] frozen_components: no");
  EXPECT_EQ(told(setting_error("initialize.vectors", "no")),
            "a.cfg:2:11  [initialize] vectors: no");
}

TEST(SettingError, IsPlacedAtTheSectionThatLacksTheSetting) {
  EXPECT_EQ(told(setting_error("training.optimizer.eps", "no")),
            "a.cfg:7:1  [training.optimizer] eps: no");
  EXPECT_EQ(told(setting_error("training.rehearsal.corpus", "no")),
            "a.cfg:5:1  [training.rehearsal] corpus: no");
  EXPECT_EQ(told(setting_error("corpora.train", "no")), "[corpora] train: no");
}

TEST(SettingError, OfADefaultIsPlacedAtTheSectionOfTheUser) {
  Config filled = config();
  Node fallback(std::string("fast"));
  fallback.origin = fallback.key_origin = Origin::default_of("Adam.v1");
  filled.find("training.optimizer")->as_object().set("kind", fallback);
  EXPECT_EQ(place_of_setting(filled, "training.optimizer.kind").str(), "a.cfg:7:1");
}

TEST(SettingError, OtherErrorsPassAsTheyAre) {
  EXPECT_EQ(told(Error(ErrorKind::data, "no example")), "no example");
  EXPECT_EQ(told(Error(ErrorKind::config, "without a setting")), "without a setting");
  Problem placed;
  placed.path = "training.frozen_components";
  placed.message = "no";
  placed.place = Origin::command_line("--training.frozen_components");
  EXPECT_EQ(told(Error(ErrorKind::config, {placed})), placed.str());
  EXPECT_THROW(telling_places(config(), [] { throw std::runtime_error("other"); }),
               std::runtime_error);
  EXPECT_EQ(telling_places(config(), [] { return 3; }), 3);
}

}  // namespace
}  // namespace weft
