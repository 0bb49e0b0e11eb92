#include "framework/training/setting_differences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "path: before > after" of each.
std::vector<std::string> between(const std::string& path, const std::string& before,
                                 const std::string& after) {
  const Node one = parse_json(before).value(), other = parse_json(after).value();
  std::vector<std::string> texts;
  for (const SettingDifference& difference : setting_differences(path, &one, &other)) {
    texts.push_back(difference.path + ": " + difference.before_text() + " > " +
                    difference.after_text());
  }
  return texts;
}

TEST(SettingDifferences, AreThoseOfBothSidesInOrder) {
  EXPECT_THAT(between("training", R"({"a": 1, "b": {"c": "x", "d": 2}, "e": [1]})",
                      R"({"f": true, "b": {"d": 3, "c": "x"}, "a": 2, "e": [1]})"),
              ElementsAre("training.a: 1 > 2", "training.b.d: 2 > 3", "training.f: absent > true"));
  EXPECT_THAT(between("", R"({"a": {"b": 1}})", R"({"a": {}})"), ElementsAre("a.b: 1 > absent"));
}

TEST(SettingDifferences, ASectionThatOneSideLacksIsOne) {
  EXPECT_THAT(between("x", R"({"a": {"b": 1, "c": 2}})", R"({"a": 5})"),
              ElementsAre("x.a: a section > 5"));
  EXPECT_THAT(between("x", "{}", R"({"a": {"b": 1, "c": 2}})"),
              ElementsAre("x.a: absent > a section"));
}

TEST(SettingDifferences, BothSidesMayLackASection) {
  const Node node(1);
  EXPECT_THAT(setting_differences("pretraining", nullptr, nullptr), IsEmpty());
  ASSERT_EQ(setting_differences("pretraining", nullptr, &node).size(), 1u);
  EXPECT_EQ(setting_differences("pretraining", nullptr, &node)[0].before, nullptr);
}

TEST(SettingDifferences, PathsOfCorporaAreTold) {
  EXPECT_TRUE(is_path_of_corpus("corpora.train.path"));
  EXPECT_FALSE(is_path_of_corpus("corpora.train.limit"));
  EXPECT_FALSE(is_path_of_corpus("training.path"));
}

}  // namespace
}  // namespace weft
