#include "framework/text/merge_tokens.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/text/example.h"
#include "framework/text/split_tokens.h"
#include "registry/base/error.h"

namespace weft {
namespace {

TEST(MergeTokens, MovesHeadsEntitiesAndGroups) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"in", "New", "York", "now"}, {true, true, true, false});
  doc.set_heads({0, 1, -2, -3});
  doc.set_ents({{1, 3, vocab->strings().add("GPE")}});
  doc.set_span_group("k", {"k", "", {{1, 3, 1}, {2, 4, 1}, {3, 4, 1}}});
  merge_tokens(doc, doc.ents());
  ASSERT_EQ(doc.size(), 3);
  EXPECT_EQ(doc.word(1), "New York");
  EXPECT_EQ(doc.text(), "in New York now");
  EXPECT_EQ(doc.heads()[1], -1);
  EXPECT_EQ(doc.heads()[2], -2);
  ASSERT_EQ(doc.ents().size(), 1U);
  // The group's second span cuts through the new token.
  const std::vector<Span> kept = {{1, 2, 1}, {2, 3, 1}};
  EXPECT_EQ(doc.span_group("k")->spans, kept);
}

TEST(MergeTokens, AMarkThatNothingHangsOnIsNoRoot) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"x", "\"", "A", "B"}, {});
  doc.set_heads({0, -1, 1, -3});
  EXPECT_EQ(span_root(doc, 1, 3), 2);
  EXPECT_EQ(span_root(doc, 1, 2), 1);
  doc.set_heads({0, -1, -1, -3});  // something does
  EXPECT_EQ(span_root(doc, 1, 4), 1);
}

// Roots of random heads, with circles, beside a walk from each token.
TEST(MergeTokens, TheRootIsTheTokenThatIsNearestToTheTop) {
  const auto vocab = std::make_shared<Vocab>("en");
  std::mt19937 draw(7);
  for (int round = 0; round < 300; ++round) {
    const int size = 1 + static_cast<int>(draw() % 12);
    Doc doc = Doc::from_words(vocab, std::vector<std::string>(static_cast<std::size_t>(size), "a"));
    std::vector<std::int32_t> heads;
    for (int i = 0; i < size; ++i) {
      heads.push_back(static_cast<int>(draw() % static_cast<unsigned>(size)) - i);
    }
    doc.set_heads(heads);
    const auto steps = [&](int token) {
      int count = 0;
      for (; heads[static_cast<std::size_t>(token)] != 0 && count < size; ++count) {
        token += heads[static_cast<std::size_t>(token)];
      }
      return count;
    };
    const int start = static_cast<int>(draw() % static_cast<unsigned>(size));
    const int end = start + 1 + static_cast<int>(draw() % static_cast<unsigned>(size - start));
    int expected = -1;
    for (int i = start; i < end; ++i) {
      const int head = i + heads[static_cast<std::size_t>(i)];
      if (head != i && head >= start && head < end) continue;
      if (expected < 0 || steps(i) < steps(expected)) expected = i;
    }
    EXPECT_EQ(span_root(doc, start, end), expected < 0 ? start : expected) << round;
  }
}

// A chain of heads: a walk to its end from each token would take minutes.
TEST(MergeTokens, DeepTreesTakeTimeInProportion) {
  const auto vocab = std::make_shared<Vocab>("en");
  constexpr int kTokens = 400'000;
  Doc doc = Doc::from_words(vocab, std::vector<std::string>(kTokens, "a"));
  std::vector<std::int32_t> heads(kTokens, -1);
  heads[0] = 0;
  doc.set_heads(heads);
  std::vector<Span> pairs;
  for (int i = 0; i < kTokens; i += 2) pairs.push_back({i, i + 2, 0});
  merge_tokens(doc, pairs);
  EXPECT_EQ(doc.size(), kTokens / 2);
}

TEST(MergeTokens, LemmasAreStrippedAndIdsAreTheFirstTokens) {
  const auto vocab = std::make_shared<Vocab>("en");
  auto& strings = vocab->strings();
  Doc doc = Doc::from_words(vocab, {"the", "York", "\n"}, {true, false, false});
  doc.set_heads({1, 0, -1});
  doc.set_column(Attr::lemma, {strings.add("the"), strings.add("York"), strings.add("\n\t")});
  Span york{1, 2, strings.add("GPE")};
  york.kb_id = strings.add("Q60");
  york.id = strings.add("city");
  doc.set_ents(std::vector<Span>{york});
  merge_tokens(doc, {{0, 3}});
  EXPECT_EQ(doc.string(doc.value(Attr::lemma, 0)), "the York");
  EXPECT_EQ(doc.ent_type(0), strings.add("GPE"));
  EXPECT_EQ(doc.value(Attr::ent_kb_id, 0), 0U);
  EXPECT_EQ(doc.value(Attr::ent_id, 0), 0U);
}

TEST(MergeTokens, RefusesSpansThatShareAToken) {
  Doc doc = Doc::from_words(std::make_shared<Vocab>("en"), {"a", "b", "c"}, {});
  EXPECT_THROW(merge_tokens(doc, {{0, 2}, {1, 3}}), Error);
}

TEST(SplitTokens, APieceThatIsTheWholeTokenCounts) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"Hello"}, {});
  doc.set_column(Attr::lemma, {vocab->strings().add("hi")});
  split_tokens(doc, 5, 10);
  EXPECT_EQ(doc.size(), 1);
  EXPECT_EQ(doc.string(doc.value(Attr::lemma, 0)), "Hello");
}

TEST(SplitTokens, CutsLongTokensAndExamplesAreAlignedAnew) {
  const auto vocab = std::make_shared<Vocab>("en");
  Example example = Example::from_reference(Doc::from_words(vocab, {"abcdef", "x"}, {}));
  split_tokens(example.predicted(), 5, 4);
  example.align_again();
  ASSERT_EQ(example.predicted().size(), 3);
  EXPECT_EQ(example.predicted().word(1), "ef");
  EXPECT_EQ(example.alignment().to_reference(2).front(), 1);
  split_tokens(example.reference(), 5, 4);
  example.align_again();
  EXPECT_EQ(example.alignment().to_reference(2).front(), 2);
}

}  // namespace
}  // namespace weft
