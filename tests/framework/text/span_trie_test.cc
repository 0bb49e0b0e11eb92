#include "framework/text/span_trie.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using Words = std::vector<std::uint32_t>;

SpanTrie trie_of(const std::vector<Words>& sequences) {
  SpanTrie trie;
  for (const Words& words : sequences) EXPECT_TRUE(trie.add(words));
  trie.link();
  return trie;
}

// spaCy's rule, word for word: every sequence at every place, longest first, then leftmost; taken
// unless the first or last token lies in an earlier one.
std::vector<SequenceRange> by_the_rule(const std::vector<Words>& sequences, const Words& text) {
  std::vector<SequenceRange> all;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    for (const Words& words : sequences) {
      if (begin + words.size() > text.size()) continue;
      if (!std::equal(words.begin(), words.end(), text.begin() + static_cast<long>(begin)))
        continue;
      all.push_back({begin, begin + words.size()});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](SequenceRange a, SequenceRange b) {
    return a.end - a.begin > b.end - b.begin;
  });
  std::vector<bool> seen(text.size());
  std::vector<SequenceRange> taken;
  for (const SequenceRange range : all) {
    if (!seen[range.begin] && !seen[range.end - 1]) taken.push_back(range);
    for (std::size_t i = range.begin; i < range.end; ++i) seen[i] = true;
  }
  std::sort(taken.begin(), taken.end(),
            [](SequenceRange a, SequenceRange b) { return a.begin < b.begin; });
  return taken;
}

TEST(SpanTrie, FindsTheLongestSequenceAtEachPlace) {
  const SpanTrie trie = trie_of({{1, 2}, {1, 2, 3}, {2, 3, 4}, {3}});
  const std::vector<SequenceRange> found = trie.longest(Words{1, 2, 3, 4, 0, 1, 2, 0, 3});
  EXPECT_THAT(found,
              testing::ElementsAre(SequenceRange{0, 3}, SequenceRange{1, 4}, SequenceRange{2, 3},
                                   SequenceRange{5, 7}, SequenceRange{8, 9}));
  EXPECT_TRUE(trie.starts(1));
  EXPECT_FALSE(trie.starts(4));
  EXPECT_FALSE(trie.starts(99));
}

TEST(SpanTrie, TakesTheRangesThatTheRuleTakes) {
  std::mt19937 random(7);
  const auto draw = [&](std::uint32_t from, std::uint32_t to) {
    return std::uniform_int_distribution<std::uint32_t>(from, to)(random);
  };
  for (int round = 0; round < 3000; ++round) {
    std::vector<Words> sequences;
    for (std::uint32_t left = draw(1, 6); left > 0; --left) {
      Words words(draw(1, 5));
      for (auto& word : words) word = draw(1, 3);
      if (std::find(sequences.begin(), sequences.end(), words) == sequences.end()) {
        sequences.push_back(words);
      }
    }
    Words text(draw(0, 20));
    for (auto& word : text) word = draw(0, 3);
    const auto taken = select_ranges(trie_of(sequences).longest(text), text.size());
    ASSERT_EQ(taken, by_the_rule(sequences, text)) << "round " << round;
  }
}

TEST(SpanTrie, TakesTimeByTheTextHoweverSequencesAreNested) {
  std::vector<Words> nested;
  for (std::size_t length = 1; length <= 1500; ++length) nested.push_back(Words(length, 1));
  const SpanTrie trie = trie_of(nested);
  // 450 million ranges if all were kept.
  const std::vector<SequenceRange> found = trie.longest(Words(300'000, 1));
  EXPECT_EQ(found.size(), 300'000u);
  // Each but the first begins in one that came earlier, which hides it and hides the next.
  EXPECT_EQ(select_ranges(found, 300'000).size(), 1u);
}

TEST(SpanTrie, RefusesMoreTokensThanItHasRoomFor) {
  SpanTrie trie;
  EXPECT_TRUE(trie.add(Words(SpanTrie::kMostTokens - 10, 1)));
  EXPECT_FALSE(trie.add(Words(11, 2)));
  EXPECT_TRUE(trie.add(Words(10, 2)));
}

}  // namespace
}  // namespace weft
