// Scores of categories, counted by hand.
#include "components/scorers/category_scores.h"

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "components/scorers/ranking.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/pipeline/score_weights.h"
#include "registry/value/json.h"
#include "tests/components/building.h"

namespace weft {
namespace {

using Cats = std::vector<TextCategory>;

class CategoryScores : public ::testing::Test {
 protected:
  Example example(Cats predicted, Cats gold) const {
    Doc left = Doc::from_words(vocab_, {"word"}), right = left;
    left.set_cats(std::move(predicted));
    right.set_cats(std::move(gold));
    return {std::move(left), std::move(right)};
  }
  Scores score(const std::string& scorer, const CategoryScoring& settings,
               const std::vector<Example>& examples) const {
    const auto built = testing::build<Scorer>("@scorers = \"spacy." + scorer + "\"\n");
    return CategoryScorer::configured(built, settings).score(examples);
  }
  static double number(const Scores& scores, const char* name) {
    return number_or_zero(*scores.find(name));
  }
  const std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(CategoryScores, OfOneLabelEachTheBestOneCounts) {
  const std::vector<Example> examples = {
      example({{"a", 0.4}, {"b", 0.6}}, {{"a", 0.0}, {"b", 1.0}}),
      example({{"a", 0.3}, {"b", 0.7}}, {{"a", 1.0}}),
      example({{"a", 0.9}, {"b", 0.1}}, {{"a", 1.0}, {"b", 0.0}}),
      example({{"a", 0.5}, {"b", 0.5}}, {{"other", 1.0}})};
  const Scores scores = score("textcat_scorer.v2", {{"a", "b"}, 0.0, {}}, examples);
  // a: 1 right, 1 wrong (the tie), 1 missed; b: 1 right, 1 wrong.
  EXPECT_DOUBLE_EQ(number(scores, "cats_micro_p"), 0.5);
  EXPECT_DOUBLE_EQ(number(scores, "cats_micro_r"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(number(scores, "cats_macro_p"), 0.5);
  EXPECT_DOUBLE_EQ(number(scores, "cats_macro_r"), 0.75);
  EXPECT_DOUBLE_EQ(number(scores, "cats_score"), number(scores, "cats_macro_f"));
  EXPECT_EQ(scores.find("cats_score_desc")->as_string(), "macro F");
}

TEST_F(CategoryScores, TheBestOneCountsThoughItIsNegative) {
  const Scores scores = score("textcat_scorer.v2", {{"a", "b"}, 0.0, {}},
                              {example({{"a", -0.5}, {"b", -1.0}}, {{"a", 1.0}, {"b", 0.0}})});
  EXPECT_DOUBLE_EQ(number(scores, "cats_macro_f"), 0.5);
}

TEST_F(CategoryScores, ThePositiveLabelOfTwoIsTheScore) {
  const std::vector<Example> examples = {example({{"a", 0.4}, {"b", 0.6}}, {{"b", 1.0}}),
                                         example({{"a", 0.4}, {"b", 0.6}}, {{"a", 1.0}})};
  const Scores scores = score("textcat_scorer.v2", {{"a", "b"}, 0.0, "b"}, examples);
  EXPECT_DOUBLE_EQ(number(scores, "cats_score"), 2.0 / 3);
  EXPECT_EQ(scores.find("cats_score_desc")->as_string(), "F (b)");
}

TEST_F(CategoryScores, OfSeveralWhatIsNotNamedDoesNotCount) {
  const std::vector<Example> examples = {
      example({{"a", 0.9}, {"b", 0.9}}, {{"a", 1.0}}),
      example({{"a", 0.4}, {"b", 0.5}}, {{"a", 1.0}, {"b", 0.0}}),
      example({{"a", 0.1}, {"b", 0.2}}, {{"a", 0.0}, {"b", 1.0}})};
  const Scores scores = score("textcat_multilabel_scorer.v2", {{"a", "b"}, 0.5, {}}, examples);
  const Object& by_type = scores.find("cats_f_per_type")->as_object();
  EXPECT_DOUBLE_EQ(number_or_zero(*by_type.find("a")->as_object().find("r")), 0.5);
  EXPECT_DOUBLE_EQ(number_or_zero(*by_type.find("b")->as_object().find("p")), 0.0);
  EXPECT_DOUBLE_EQ(number(scores, "cats_macro_auc"), 0.5);  // a: 1, b: 0
  EXPECT_EQ(scores.find("cats_score_desc")->as_string(), "macro AUC");
}

TEST_F(CategoryScores, GroupsGiveTheScoresOfAll) {
  std::vector<Example> examples;
  for (int i = 0; i < 20; ++i) {
    examples.push_back(example({{"a", (i % 7) / 7.0}, {"b", (i % 5) / 5.0}},
                               {{"a", i % 2 == 0 ? 1.0 : 0.0}, {"b", i % 3 == 0 ? 1.0 : 0.0}}));
  }
  const Scorer scorer = CategoryScorer::scorer(true, {{"a", "b"}, 0.5, {}});
  const ScoreSessionPtr session = start_session(scorer);
  session->add(std::span(examples).first(3));
  session->add(std::span(examples).subspan(3));
  EXPECT_EQ(to_standard_json(session->finish()), to_standard_json(scorer.score(examples)));
}

TEST(Ranking, IsTheShareOfPairsInTheRightOrder) {
  Ranking ranking;
  EXPECT_FALSE(ranking.area());
  ranking.add(1.0, 0.8);
  EXPECT_FALSE(ranking.area()) << "no negative";
  ranking.add(0.0, 0.8);
  EXPECT_DOUBLE_EQ(*ranking.area(), 0.5);
  ranking.add(0.0, 0.1);
  EXPECT_DOUBLE_EQ(*ranking.area(), 0.75);
  ranking.add(0.5, 0.1);
  EXPECT_FALSE(ranking.area()) << "three kinds of gold values";
}

TEST(Ranking, NumbersThatAreNoFloatsKeepTheirOrder) {
  Ranking ranking;
  ranking.add(1.0, 0.5);
  ranking.add(0.0, 0.25);
  ranking.add(0.0, 0.1);
  ranking.add(1.0, 0.1 + 1e-12);
  EXPECT_DOUBLE_EQ(*ranking.area(), 0.75);
}

TEST(Ranking, OfOtherNumbersThanZeroAndOneOneIsThePositive) {
  Ranking ranking;
  ranking.add(0.0, 0.1);
  ranking.add(0.5, 0.8);
  EXPECT_FALSE(ranking.area()) << "no gold value is 1";
  Ranking other;
  other.add(2.0, 0.1);
  other.add(1.0, 0.8);
  EXPECT_DOUBLE_EQ(*other.area(), 1.0);
}

TEST(Ranking, NanHasNoPlaceInAnOrder) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [gold, predicted] : {std::pair(nan, 0.5), std::pair(1.0, nan)}) {
    Ranking ranking;
    ranking.add(1.0, 0.8);
    ranking.add(0.0, 0.1);
    ranking.add(gold, predicted);
    EXPECT_FALSE(ranking.area());
  }
}

TEST_F(CategoryScores, AValueAtTheThresholdIsAboveIt) {
  const Scores scores = score("textcat_multilabel_scorer.v2", {{"a"}, 0.5, {}},
                              {example({{"a", 0.5}}, {{"a", 1.0}})});
  EXPECT_DOUBLE_EQ(number(scores, "cats_micro_r"), 1.0);
}

// Where labels exclude each other, the best of the reference counts though it is 0.
TEST_F(CategoryScores, AWrongAnswerMissesTheReferencesBest) {
  const Scores scores = score("textcat_scorer.v2", {{"a", "b"}, 0.0, {}},
                              {example({{"a", 0.0}, {"b", 1.0}}, {{"a", 1.0}, {"b", 0.0}}),
                               example({{"a", 0.0}, {"b", 1.0}}, {{"a", 0.0}, {"b", 0.0}}),
                               example({{"a", 1.0}, {"b", 0.0}}, {{"a", 1.0}, {"b", 0.0}})});
  EXPECT_DOUBLE_EQ(number(scores, "cats_micro_r"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(number(scores, "cats_micro_p"), 1.0 / 3);
}

}  // namespace
}  // namespace weft
