#include "framework/pipeline/score_weights.h"

#include <limits>

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

// As Python's round does it: 7/40 is a little less than 0.175.
TEST(ScoreWeightsTest, ShareOfTheBitsIsRounded) {
  const Object weights = combine_score_weights({}, object({{"a", 7}, {"b", 33}}));
  EXPECT_EQ(weights.find("a")->as_float(), 0.17);
  EXPECT_EQ(weights.find("b")->as_float(), 0.82);
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

Node in_line(Node weight, int line) {
  weight.key_origin = weight.origin =
      Origin::file(std::make_shared<const std::string>("train.cfg"), line, 1);
  return weight;
}

TEST(ScoreWeightsTest, WhatIsNotFiniteCountsNothingAndTruthIsOne) {
  const Object weights = object({{"a", 0.5}, {"b", 0.5}});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_DOUBLE_EQ(main_score(object({{"a", nan}, {"b", 0.2}}), weights), 0.1);
  EXPECT_DOUBLE_EQ(main_score(object({{"a", true}, {"b", false}}), weights), 0.5);
}

TEST(ScoreWeightsTest, AWeightForAScoreThatIsNotThereIsToldOfInItsLine) {
  const Object weights = object({{"ents_ff", in_line(0.4, 12)},
                                 {"sped", in_line(0.0, 13)},
                                 {"tag_acc", in_line(0.3, 14)},
                                 {"ents_f", in_line(0.3, 15)},
                                 {"dep_uas", in_line(nullptr, 16)}});
  const Scores scores = object({{"ents_f", nullptr},  // could not be computed this time
                                {"ents_per_type", Object()},
                                {"speed", 100.0}});
  const Problems warnings = unknown_score_weights(weights, scores);
  ASSERT_EQ(warnings.size(), 2U);  // a weight of 0 counts nothing anyway
  EXPECT_FALSE(has_errors(warnings));
  EXPECT_EQ(warnings[0].str(),
            "train.cfg:12:1  [training.score_weights] ents_ff: no component gave this score in the "
            "evaluation, so its weight counts nothing (did you mean ents_f?)");
  EXPECT_EQ(warnings[1].path, "training.score_weights.tag_acc");
  EXPECT_EQ(warnings[1].suggestion, "");
}

TEST(ScoreWeightsTest, OfProposedWeightsThoseThatCountAreToldOf) {
  const Object weights = object({{"spans_sc_f", 1.0}, {"spans_sc_p", 0.0}});
  const Problems warnings = unknown_score_weights(weights, object({{"spans_names_f", 0.5}}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].path, "training.score_weights.spans_sc_f");
}

}  // namespace
}  // namespace weft
