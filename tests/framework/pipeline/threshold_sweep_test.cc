#include "framework/pipeline/threshold_sweep.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "framework/text/ent_confidence.h"

namespace weft {
namespace {

// Found entities with confidences 0.2 (wrong), 0.6 (right), 0.97 (right); one that is missed.
Example example() {
  const auto vocab = std::make_shared<Vocab>("en");
  const StringId label = vocab->strings().add("PER");
  const std::vector<std::string> words = {"a", "b", "c", "d", "e"};
  Doc predicted = Doc::from_words(vocab, words), reference = Doc::from_words(vocab, words);
  predicted.set_ents({{0, 1, label}, {1, 2, label}, {2, 3, label}});
  reference.set_ents({{1, 2, label}, {2, 3, label}, {4, 5, label}});
  const EntConfidence known[] = {{{0, 1, label}, 0.2}, {{1, 2, label}, 0.6}, {{2, 3, label}, 0.97}};
  set_ent_confidences(predicted, known);
  return Example(std::move(predicted), std::move(reference));
}

TEST(ThresholdSweep, CountsWhatWouldBeLeft) {
  ThresholdSweep sweep;
  const Example one = example();
  sweep.add({&one, 1});
  const auto rows = sweep.rows();
  ASSERT_EQ(rows.size(), 20U);
  const auto expect = [&](std::size_t row, double threshold, int right, int wrong, int missed) {
    EXPECT_DOUBLE_EQ(rows[row].threshold, threshold);
    EXPECT_EQ(rows[row].prf.true_positives, right) << threshold;
    EXPECT_EQ(rows[row].prf.false_positives, wrong) << threshold;
    EXPECT_EQ(rows[row].prf.false_negatives, missed) << threshold;
  };
  expect(0, 0, 2, 1, 1);
  expect(4, 0.2, 2, 1, 1);
  expect(5, 0.25, 2, 0, 1);
  expect(12, 0.6, 2, 0, 1);
  expect(13, 0.65, 1, 0, 2);
  expect(19, 0.95, 1, 0, 2);
}

TEST(ThresholdSweep, ReferencesWithoutAnnotationSayNothing) {
  const Example one = example();
  const Example unknown(one.predicted(),
                        Doc::from_words(one.predicted().vocab(), {"a", "b", "c", "d", "e"}));
  ThresholdSweep sweep;
  sweep.add({&unknown, 1});
  EXPECT_EQ(sweep.rows()[0].prf.true_positives + sweep.rows()[0].prf.false_positives, 0);
}

}  // namespace
}  // namespace weft
