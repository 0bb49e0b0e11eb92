// Scores of spans, counted by hand.
#include "components/scorers/span_scores.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "framework/text/doc.h"
#include "framework/text/example.h"
#include "framework/text/vocab.h"
#include "registry/value/json.h"

namespace weft {
namespace {

TEST(SpanScores, ASpanThatFitsNoTokensCountsNowhereButItsLabelHasARow) {
  const auto vocab = std::make_shared<Vocab>("en");
  const StringId a = vocab->strings().add("A"), b = vocab->strings().add("B");
  Doc predicted = Doc::from_words(vocab, {"New", "York", "ers"}, {true, false, false});
  Doc reference = Doc::from_words(vocab, {"New", "Yorkers"}, {true, false});
  predicted.set_span_group("sc", {"sc", "", {{0, 1, a}, {1, 2, b}}});
  reference.set_span_group("sc", {"sc", "", {{0, 1, a}}});
  const std::vector<Example> examples = {Example(predicted, reference)};
  const Scores scores = SpanScorer(true, "sc")(examples);
  EXPECT_EQ(scores.find("spans_sc_f")->as_float(), 1);
  const Object& rows = scores.find("spans_sc_per_type")->as_object();
  ASSERT_NE(rows.find("B"), nullptr);
  EXPECT_EQ(rows.find("B")->as_object().find("f")->as_float(), 0);
}

TEST(SpanScores, PlacesCountOnceForEachLabel) {
  const auto vocab = std::make_shared<Vocab>("en");
  const StringId a = vocab->strings().add("A"), b = vocab->strings().add("B");
  Doc predicted = Doc::from_words(vocab, {"a", "b", "c"}), reference = predicted;
  predicted.set_span_group("sc", {"sc", "", {{0, 1, a}, {1, 3, b}, {0, 1, a}, {0, 2, a}}});
  reference.set_span_group("sc", {"sc", "", {{1, 2, a}, {0, 1, a}, {0, 1, b}, {0, 1, b}}});
  const std::vector<Example> examples = {Example(predicted, reference)};
  const auto f_of = [](const Object& scores, const char* part, const char* name) {
    return scores.find(part)->as_object().find(name)->as_float();
  };
  const Scores labelled = SpanScorer(true, "sc")(examples);
  const Object& rows = labelled.find("spans_sc_per_type")->as_object();
  EXPECT_EQ(f_of(rows, "A", "p"), 0.5);
  EXPECT_EQ(f_of(rows, "A", "r"), 0.5);
  EXPECT_EQ(f_of(rows, "B", "r"), 0);
  EXPECT_DOUBLE_EQ(labelled.find("spans_sc_p")->as_float(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(labelled.find("spans_sc_r")->as_float(), 1.0 / 3);
  const Scores places = SpanScorer(false, "sc")(examples);
  EXPECT_DOUBLE_EQ(places.find("spans_sc_p")->as_float(), 1.0 / 3);
  EXPECT_EQ(places.find("spans_sc_r")->as_float(), 0.5);
}

}  // namespace
}  // namespace weft
