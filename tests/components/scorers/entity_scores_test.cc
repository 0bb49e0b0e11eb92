#include "components/scorers/entity_scores.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/pipeline/tokenization_scores.h"
#include "registry/value/json.h"

namespace weft {
namespace {

class EntityScores : public testing::Test {
 protected:
  using Words = std::vector<std::string>;
  Doc doc(const Words& words) { return Doc::from_words(vocab_, words); }
  StringId label(const char* name) { return vocab_->strings().add(name); }
  static double number(const Scores& scores, const char* key) {
    return scores.find(key)->as_float();
  }
  double of_type(const Scores& scores, const char* type, const char* key) {
    const Object& table = scores.find("ents_per_type")->as_object();
    return table.find(type)->as_object().find(key)->as_float();
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(EntityScores, CountsRightWrongAndMissed) {
  const Words words = {"a", "b", "c", "d", "e"};
  Doc predicted = doc(words), reference = doc(words);
  reference.set_ents({{0, 2, label("A")}, {3, 4, label("B")}});
  predicted.set_ents({{0, 2, label("A")}, {3, 4, label("A")}, {4, 5, label("C")}});
  const std::vector<Example> examples = {Example(predicted, reference)};
  const Scores scores = score_entities(examples);
  EXPECT_DOUBLE_EQ(number(scores, "ents_p"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(number(scores, "ents_r"), 0.5);
  EXPECT_DOUBLE_EQ(number(scores, "ents_f"), 0.4);
  EXPECT_DOUBLE_EQ(of_type(scores, "A", "p"), 0.5);
  EXPECT_DOUBLE_EQ(of_type(scores, "A", "r"), 1.0);
  EXPECT_DOUBLE_EQ(of_type(scores, "B", "r"), 0.0);
  EXPECT_DOUBLE_EQ(of_type(scores, "C", "f"), 0.0);
}

TEST_F(EntityScores, PredictionsOnTokensWithoutAnnotationDoNotCount) {
  const Words words = {"a", "b", "c"};
  Doc predicted = doc(words), reference = doc(words);
  const Span missing{1, 2};
  reference.set_ents(std::vector<Span>{{0, 1, label("A")}}, EntsDefault::outside, {},
                     {&missing, 1});
  predicted.set_ents({{0, 1, label("A")}, {1, 3, label("B")}});
  const std::vector<Example> examples = {Example(predicted, reference)};
  const Scores scores = score_entities(examples);
  EXPECT_DOUBLE_EQ(number(scores, "ents_p"), 1);
  EXPECT_DOUBLE_EQ(number(scores, "ents_f"), 1);
  EXPECT_DOUBLE_EQ(of_type(scores, "B", "p"), 0);  // still in the table
}

TEST_F(EntityScores, ComparesInReferenceTokens) {
  Doc predicted = doc({"New", "York", "City"}), reference = doc({"NewYork", "City"});
  reference.set_ents({{0, 1, label("A")}});
  predicted.set_ents({{0, 2, label("A")}});
  const std::vector<Example> examples = {Example(predicted, reference)};
  EXPECT_DOUBLE_EQ(number(score_entities(examples), "ents_f"), 1);
}

TEST_F(EntityScores, NothingToCountIsNull) {
  Doc predicted = doc({"a"}), bare = doc({"a"}), empty = doc({"a"});
  predicted.set_ents({{0, 1, label("A")}});
  const std::vector<Example> no_gold = {Example(predicted, bare)};
  EXPECT_TRUE(score_entities(no_gold).find("ents_f")->is_null());
  EXPECT_TRUE(score_entities(no_gold).find("ents_per_type")->is_null());
  empty.set_ents(std::vector<Span>{});
  const std::vector<Example> nothing = {Example(doc({"a"}), empty)};
  EXPECT_TRUE(score_entities(nothing).find("ents_p")->is_null());
}

TEST_F(EntityScores, TokenScores) {
  const bool spaces[] = {true, false, false};
  Doc reference = Doc::from_words(vocab_, Words{"New", "York", "."}, spaces);
  Doc predicted = Doc::from_words(vocab_, Words{"New", "York."}, std::span(spaces, 2));
  const std::vector<Example> examples = {Example(predicted, reference)};
  const Scores scores = score_tokenization(examples);
  EXPECT_DOUBLE_EQ(number(scores, "token_acc"), 0.5);
  EXPECT_DOUBLE_EQ(number(scores, "token_p"), 0.5);
  EXPECT_DOUBLE_EQ(number(scores, "token_r"), 1.0 / 3);
  const std::vector<Example> unknown = {Example(doc({"a"}), doc({"a"}))};
  EXPECT_TRUE(score_tokenization(unknown).find("token_acc")->is_null());
}

TEST_F(EntityScores, GroupsHaveTheScoresOfTheWhole) {
  std::vector<Example> examples;
  for (int i = 0; i < 20; ++i) {
    Doc reference = doc({"a", "b", "c"});
    reference.set_ents({{i % 3, i % 3 + 1, label("X")}});
    examples.push_back(Example::from_reference(std::move(reference)));
    if (i % 2 == 0) examples.back().predicted().set_ents({{0, 1, label("X")}});
  }
  const std::span<const Example> all(examples);
  const Scores whole = score_entities(all);
  EXPECT_DOUBLE_EQ(number(whole, "ents_p"), 0.4) << "four of ten predictions are right";
  for (const std::size_t size : {1U, 3U, 20U}) {
    const ScoreSessionPtr session = entity_score_session();
    for (std::size_t at = 0; at < all.size(); at += size) {
      session->add(all.subspan(at, std::min(size, all.size() - at)));
    }
    EXPECT_EQ(to_json(session->finish()), to_json(whole)) << size;
  }
}

}  // namespace
}  // namespace weft
