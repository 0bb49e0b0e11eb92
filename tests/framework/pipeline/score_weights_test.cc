#include "framework/pipeline/score_weights.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

Object object(std::initializer_list<std::pair<const char*, Node>> entries) {
  Object result;
  for (const auto& [key, node] : entries) result.set(key, node);
  return result;
}

TEST(ScoreWeightsTest, OneComponentKeepsItsProposal) {
  const Object ner = object({{"ents_f", 1.0}, {"ents_p", 0.0}, {"ents_per_type", nullptr}});
  const Object weights = combine_score_weights(std::vector<Object>{ner}, {});
  EXPECT_TRUE(Node(weights).same_value(Node(ner)));
}

TEST(ScoreWeightsTest, SeveralAreScaledToOneAndRounded) {
  const std::vector<Object> proposed = {object({{"tag_acc", 1.0}}), object({{"ents_f", 1.0}}),
                                        object({{"dep_las", 1.0}, {"ents_per_type", nullptr}})};
  const Object weights = combine_score_weights(proposed, object({{"speed", nullptr}}));
  EXPECT_EQ(weights.find("tag_acc")->as_float(), 0.33);
  EXPECT_EQ(weights.find("dep_las")->as_float(), 0.33);
  EXPECT_TRUE(weights.find("ents_per_type")->is_null());
  EXPECT_TRUE(weights.find("speed")->is_null());
}

TEST(ScoreWeightsTest, TheConfigWinsOverProposals) {
  const std::vector<Object> proposed = {object({{"ents_f", 1.0}, {"ents_p", 0.0}})};
  const Object weights =
      combine_score_weights(proposed, object({{"ents_f", nullptr}, {"ents_r", 2}}));
  EXPECT_TRUE(weights.find("ents_f")->is_null());
  EXPECT_EQ(weights.find("ents_r")->as_float(), 1.0);
  EXPECT_EQ(weights.find("ents_p")->as_float(), 0.0);
}

TEST(ScoreWeightsTest, MainScoreLeavesOutWhatIsMissing) {
  const Object weights = object({{"a", 0.5}, {"b", 0.5}, {"c", nullptr}});
  EXPECT_DOUBLE_EQ(main_score(object({{"a", 0.4}, {"b", 0.2}, {"c", 1.0}}), weights), 0.3);
  EXPECT_DOUBLE_EQ(main_score(object({{"a", nullptr}, {"b", 0.2}}), weights), 0.1);
  EXPECT_EQ(main_score({}, weights), 0.0);
}

}  // namespace
}  // namespace weft
