// Which components of a config stay, and which of them run.
#include "framework/pipeline/component_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Config three() {
  Problems problems;
  return read_cfg("[nlp]\nlang = \"en\"\npipeline = [\"a\", \"b\", \"c\"]\ndisabled = [\"b\"]\n",
                  "test", problems, {.interpolate = false});
}

std::vector<std::string> names(const Config& config, const char* path) {
  std::vector<std::string> all;
  for (const Node& name : config.find(path)->as_list()) all.push_back(name.as_string());
  return all;
}

Config chosen(const ComponentChoice& choice) {
  Config config = three();
  choose_components(config, choice);
  return config;
}

TEST(ComponentChoice, ExcludesDisablesAndEnables) {
  const Config without = chosen({.exclude = {"b"}});
  EXPECT_THAT(names(without, "nlp.pipeline"), ElementsAre("a", "c"));
  EXPECT_THAT(names(without, "nlp.disabled"), IsEmpty());
  const Config asleep = chosen({.disable = {"a"}});
  EXPECT_THAT(names(asleep, "nlp.pipeline"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(names(asleep, "nlp.disabled"), ElementsAre("a", "b"));
  const Config awake = chosen({.enable = {"b"}});
  EXPECT_THAT(names(awake, "nlp.pipeline"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(names(awake, "nlp.disabled"), ElementsAre("a", "c"));
  const Config alone = chosen({.enable = {"b"}, .read_disabled = false});
  EXPECT_THAT(names(alone, "nlp.pipeline"), ElementsAre("b"));
  EXPECT_THAT(names(alone, "nlp.disabled"), IsEmpty());
}

TEST(ComponentChoice, RefusesUnknownAndContradictoryNames) {
  EXPECT_THROW(chosen({.exclude = {"d"}}), Error);
  EXPECT_THROW(chosen({.disable = {"d"}}), Error);
  EXPECT_THROW(chosen({.enable = {"d"}}), Error);
  EXPECT_THROW(chosen({.exclude = {"a"}, .enable = {"a"}}), Error);
  EXPECT_THROW(chosen({.disable = {"a"}, .enable = {"a"}}), Error);
}

TEST(ComponentChoice, ProblemsOfUnusedComponentsAreLeftOut) {
  Problems problems(3);
  problems[0].path = "components.a.model";
  problems[1].path = "components.z";
  problems[2].path = "nlp.lang";
  const Problems left = of_components_in_use(problems, three());
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].path, "components.a.model");
  EXPECT_EQ(left[1].path, "nlp.lang");
}

}  // namespace
}  // namespace weft
