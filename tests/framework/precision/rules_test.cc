#include "framework/precision/rules.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Rules, TheLastMatchWins) {
  const std::vector<PrecisionRule> rules = {{"components.*", Compute::f32},
                                            {"components.ner.*", Compute::low},
                                            {"*.softmax", Compute::automatic}};
  EXPECT_EQ(find_rule(rules, "components.tagger.model"), &rules[0]);
  EXPECT_EQ(find_rule(rules, "components.ner.model.maxout"), &rules[1]);
  EXPECT_EQ(find_rule(rules, "components.ner.model.softmax"), &rules[2]);
  EXPECT_EQ(find_rule(rules, "other"), nullptr);
}

TEST(Rules, TheGlobCoversTheWholePath) {
  const std::vector<PrecisionRule> rules = {{"components.ner", Compute::f32}};
  EXPECT_EQ(find_rule(rules, "components.ner.model"), nullptr);
  EXPECT_NE(find_rule(rules, "components.ner"), nullptr);
}

TEST(Rules, EveryMistakeIsReported) {
  Notices notices;
  const auto rules = read_rules({{{"match", "*"}, {"compute", "low"}},
                                 {{"match", "*"}, {"compute", "half"}},
                                 {{"compute", "low"}},
                                 {{"match", "*"}, {"compute", "low"}, {"level", "O1"}}},
                                notices);
  EXPECT_EQ(rules, (std::vector<PrecisionRule>{{"*", Compute::low}}));
  ASSERT_EQ(notices.size(), 3U);
  EXPECT_EQ(notices[0].text, "precision: rule 2: compute is f32, low or auto, not \"half\"");
}

}  // namespace
}  // namespace weft
