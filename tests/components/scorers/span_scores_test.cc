// Scores of spans, counted by hand.
#include "components/scorers/span_scores.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace weft
