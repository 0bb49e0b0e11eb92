// Which spans are taken by their scores.
#include "components/pipes/span_choice.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

using Rows = std::vector<std::vector<float>>;

// "0-2 L1, 1-2 L0": spans and labels in the order of their group.
std::string chosen(const SpanChoice& choice, const std::vector<TokenRange>& ranges,
                   const Rows& scores) {
  std::vector<ScoredSpan> spans;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    choose_labels(choice, ranges[i], scores[i].data(), static_cast<int>(scores[i].size()), spans);
  }
  std::string text;
  for (const ScoredSpan& span : without_overlaps(choice, spans)) {
    text += (text.empty() ? "" : ", ") + std::to_string(span.range.start) + "-" +
            std::to_string(span.range.end) + " L" + std::to_string(span.label);
  }
  return text;
}

TEST(SpanChoice, TakesEveryLabelFromTheThresholdOn) {
  EXPECT_EQ(chosen({.threshold = 0.5}, {{0, 2}, {1, 2}}, {{0.5F, 0.9F}, {0.49F, 0.6F}}),
            "0-2 L0, 0-2 L1, 1-2 L1");
}

// 0.1 as f32 is more than 0.1.
TEST(SpanChoice, ComparesScoresAsF32) {
  EXPECT_EQ(chosen({.threshold = 0.1}, {{0, 1}}, {{0.1F}}), "0-1 L0");
  EXPECT_EQ(chosen({.threshold = 0.7}, {{0, 1}}, {{0.7F}}), "0-1 L0");
}

TEST(SpanChoice, TakesTheHighestOfSeveralLabels) {
  EXPECT_EQ(chosen({.threshold = 0.2, .max_positive = 2}, {{0, 1}}, {{0.3F, 0.9F, 0.4F}}),
            "0-1 L1, 0-1 L2");
  EXPECT_EQ(chosen({.threshold = 0.2, .max_positive = 2}, {{0, 1}}, {{0.5F, 0.5F, 0.5F}}),
            "0-1 L0, 0-1 L1");
  EXPECT_EQ(
      chosen({.threshold = 0.2, .max_positive = 2, .no_label = true}, {{0, 1}}, {{0.3F, 0.9F}}),
      "0-1 L0");
}

// Beside a count of the labels that are ahead of each, as the definition says.
TEST(SpanChoice, TheHighestAreThoseWithFewestAhead) {
  std::mt19937 draw(3);
  for (int round = 0; round < 500; ++round) {
    const int labels = 1 + static_cast<int>(draw() % 9), most = 2 + static_cast<int>(draw() % 4);
    std::vector<float> scores;
    for (int i = 0; i < labels; ++i) scores.push_back(static_cast<float>(draw() % 5) / 4.0F);
    std::string expected;
    for (int i = 0; i < labels; ++i) {
      int ahead = 0;
      for (int j = 0; j < labels; ++j) {
        ahead += scores[j] > scores[i] || (scores[j] == scores[i] && j < i) ? 1 : 0;
      }
      if (scores[i] < 0.25F || ahead >= most) continue;
      expected += (expected.empty() ? "" : ", ") + ("0-1 L" + std::to_string(i));
    }
    EXPECT_EQ(chosen({.threshold = 0.25, .max_positive = most}, {{0, 1}}, {scores}), expected);
  }
}

TEST(SpanChoice, LeavesOutSpansWhoseBestClassIsNoLabel) {
  const SpanChoice choice{.threshold = {}, .max_positive = 1, .no_label = true};
  EXPECT_EQ(chosen(choice, {{0, 1}, {1, 2}, {2, 3}},
                   {{0.2F, 0.7F, 0.1F}, {0.3F, 0.3F, 0.4F}, {0.4F, 0.2F, 0.4F}}),
            "0-1 L1, 2-3 L0");
}

TEST(SpanChoice, TakesTheHighestOfSpansThatShareTokens) {
  SpanChoice choice{.threshold = {}, .max_positive = 1, .allow_overlap = false};
  const std::vector<TokenRange> ranges = {{0, 2}, {1, 3}, {3, 4}, {2, 4}};
  const Rows scores = {{0.5F}, {0.9F}, {0.6F}, {0.8F}};
  EXPECT_EQ(chosen(choice, ranges, scores), "1-3 L0, 3-4 L0");
  choice.allow_overlap = true;
  EXPECT_EQ(chosen(choice, ranges, scores), "0-2 L0, 1-3 L0, 3-4 L0, 2-4 L0");
}

// NumPy's arrays, as spaCy packs them: their kind of number and shape.
TEST(SpanChoice, WritesScoresAsAnArray) {
  const SpanChoice several, one{.max_positive = 1};
  const std::vector<ScoredSpan> spans = {{{0, 1}, 0, 1.0F}};
  const std::string head = "\x81\xA6scores\x85\xC4\x02nd\xC3\xC4\x04type\xA3<f4\xC4\x04kind\xC4";
  const auto tail = [&](const std::string& shape) {
    return head + std::string(1, '\0') + "\xC4\x05shape" + shape + "\xC4\x04" + "data\xC4\x04" +
           std::string(2, '\0') + "\x80\x3F";
  };
  EXPECT_EQ(score_attributes(several, spans), tail("\x91\x01"));
  EXPECT_EQ(score_attributes(one, spans), tail("\x92\x01\x01"));
}

}  // namespace
}  // namespace weft
