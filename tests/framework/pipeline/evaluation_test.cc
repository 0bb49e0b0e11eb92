#include "framework/pipeline/evaluation.h"

#include <gtest/gtest.h>

#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

Scores scores_of(NlpSettings settings) {
  const Language nlp(Config(), std::move(settings));
  WorkerPool pool(1);
  Evaluation evaluation(nlp, pool);
  for (Example& example : testing::documents_of(nlp, {3, 4})) evaluation.add(std::move(example));
  return evaluation.finish();
}

TEST(Evaluation, ATokenizerScoresItsTokens) {
  NlpSettings settings = testing::plain_settings();
  EXPECT_NE(scores_of(settings).find("token_acc"), nullptr);
  settings.tokenizer.scorer = {[](std::span<const Example> examples) {
    Scores scores;
    scores.set("documents", static_cast<std::int64_t>(examples.size()));
    return scores;
  }};
  const Scores scores = scores_of(settings);
  EXPECT_EQ(scores.find("documents")->as_integer(), 2);
  EXPECT_EQ(scores.find("token_acc"), nullptr);
}

// As in spaCy, one without scores has an empty part.
TEST(Evaluation, EveryComponentHasItsPart) {
  Language nlp(Config(), testing::plain_settings());
  nlp.add({"silent", std::make_shared<testing::OneWeight>()});
  WorkerPool pool(1);
  Evaluation evaluation(nlp, pool);
  for (Example& example : testing::documents_of(nlp, {3})) evaluation.add(std::move(example));
  const Scores scores = evaluation.finish_by_component();
  ASSERT_NE(scores.find("silent"), nullptr);
  EXPECT_TRUE(scores.find("silent")->as_object().empty());
  EXPECT_NE(scores.find("tokenizer")->as_object().find("token_acc"), nullptr);
}

}  // namespace
}  // namespace weft
