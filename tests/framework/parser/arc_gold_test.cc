#include "framework/parser/arc_gold.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/parser/arc_parses.h"
#include "framework/text/vocab.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

class ArcGoldTest : public ::testing::Test {
 protected:
  Doc doc(const std::vector<std::string>& words, const std::vector<bool>& spaces = {}) {
    const std::unique_ptr<bool[]> flags(new bool[spaces.size()]);
    std::copy(spaces.begin(), spaces.end(), flags.get());
    return Doc::from_words(vocab_, words, std::span<const bool>(flags.get(), spaces.size()));
  }
  Doc parsed(const std::vector<std::string>& words, const DependencyTree& tree) {
    Doc reference = doc(words);
    set_parse(reference, tree);
    return reference;
  }
  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

const DependencyTree kTree = {{1, 1, 1, 4, 4}, {"nsubj", "ROOT", "punct", "nsubj", "ROOT"}};

TEST_F(ArcGoldTest, TokensOfTheSameWordsKeepTheirHeads) {
  const Example example(doc({"She", "sang", ".", "He", "left"}),
                        parsed({"She", "sang", ".", "He", "left"}, kTree));
  const AlignedParse parse = aligned_parse(example);
  EXPECT_EQ(parse.heads, kTree.heads);
  EXPECT_THAT(parse.labels, ::testing::ElementsAreArray(kTree.labels));
  EXPECT_THAT(parse.starts, ElementsAre(1, 0, 0, 1, 0));
}

// As in spaCy, whatever head they have: here one whose arc crosses another.
TEST_F(ArcGoldTest, TokensWithoutALabelAreRoots) {
  Doc reference = parsed({"She", "sang", ".", "He", "left"}, kTree);
  reference.set_heads({1, 0, 2, -3, 0});
  reference.set_column(
      Attr::dep, {string_id("nsubj"), string_id("ROOT"), 0, string_id("nsubj"), string_id("ROOT")});
  const Example example(doc({"She", "sang", ".", "He", "left"}), reference);
  const AlignedParse parse = aligned_parse(example);
  EXPECT_THAT(parse.heads, ElementsAre(1, 1, 2, 3, 4));
  EXPECT_THAT(parse.labels, ElementsAre("nsubj", "ROOT", "", "nsubj||nsubj", "ROOT"));
}

// Of a folder of files the one to mend could not be found else.
TEST_F(ArcGoldTest, ACycleOfHeadsIsToldWithItsDocument) {
  Doc reference = doc({"She", "sang"});
  reference.set_column(Attr::dep, {string_id("nsubj"), string_id("dobj")});
  reference.set_heads({1, -1});
  Example example(doc({"She", "sang"}), reference);
  example.set_place({std::make_shared<const std::string>("train.conllu"), 0, 7});
  try {
    (void)learnt_tree(example);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_STREQ(error.what(),
                 "train.conllu, document 7: the heads of the tokens form a cycle through token 0");
  }
  EXPECT_THROW((void)aligned_parse(example), Error);
}

TEST_F(ArcGoldTest, HeadsThatAreCutInTwoAreUnknown) {
  const Example example(
      doc({"She", "sa", "ng", ".", "He", "left"}, {true, false, true, true, true, true}),
      parsed({"She", "sang", ".", "He", "left"}, kTree));
  const AlignedParse parse = aligned_parse(example);
  EXPECT_THAT(parse.heads, ElementsAre(-1, -1, -1, -1, 5, 5));
  EXPECT_THAT(parse.starts, ElementsAre(1, 0, 0, 0, 1, 0));
}

TEST_F(ArcGoldTest, StartsAreUnknownWhereATokenLiesInTwoSentences) {
  const Example example(
      doc({"She", "sang", ".He", "left"}, {true, false, true, true}),
      Example::from_reference(parsed({"She", "sang", ".", "He", "left"}, kTree)).reference());
  EXPECT_THAT(aligned_parse(example).starts, Each(-1));
}

TEST_F(ArcGoldTest, LabelsThatAreNoClassesAreReplaced) {
  const Example example(doc({"She", "sang", ".", "He", "left"}),
                        parsed({"She", "sang", ".", "He", "left"}, kTree));
  const ArcTable table =
      ArcTable::from_json(R"({"0":{"":9},"1":{"":9},"2":{"nsubj":3,"dep":0},"3":{"dep":0},)"
                          R"("4":{"ROOT":2}})",
                          "test");
  const transition::ArcGold gold = arc_gold(example, aligned_parse(example), table);
  EXPECT_THAT(gold.label, ElementsAre(string_id("nsubj"), string_id("ROOT"), string_id("dep"),
                                      string_id("nsubj"), string_id("ROOT")));
  EXPECT_THAT(gold.kids, ElementsAre(0, 2, 3));
}

TEST_F(ArcGoldTest, PiecesWithoutAnnotationAreLeftOut) {
  const std::vector<std::string> words = {"She", "sang", ".", "He", "left"};
  const DependencyTree half = {{1, 1, 1, 3, 4}, {"nsubj", "ROOT", "punct", "", ""}};
  const Example example(doc(words), parsed(words, half));
  const ArcTable table = [&] {
    ArcCounts counts;
    counts.add(half);
    return counts.table(1, false);
  }();
  const auto actions = table.actions(vocab_->strings());
  const transition::ArcGold gold = arc_gold(example, aligned_parse(example), table);
  const Doc* docs[] = {&example.predicted()};
  const auto marks = sentence_marks(docs);
  const auto starts = first_arc_states(docs);
  const ArcOracle oracle{actions, {marks.data()}, &gold};
  EXPECT_EQ(arc_training_states(example, starts[0], oracle, 0).size(), 1U);
  EXPECT_EQ(arc_training_states(example, starts[0], oracle, 6).size(), 1U);
  const auto pieces = arc_training_states(example, starts[0], oracle, 2);
  ASSERT_FALSE(pieces.empty());
  for (const auto& piece : pieces) EXPECT_LT(piece.buffer(0), 3);
}

class LongParseTest : public ArcGoldTest {
 protected:
  // How many pieces are learnt of a document in which token i hangs on head(i).
  template <class Head>
  std::size_t learn(int tokens, int cut, const Head& head) {
    const std::vector<std::string> words(static_cast<std::size_t>(tokens), "a");
    DependencyTree tree;
    for (int i = 0; i < tokens; ++i) {
      tree.heads.push_back(head(i));
      tree.labels.emplace_back(tree.heads.back() == i ? "ROOT" : "dep");
    }
    const Example example(doc(words), parsed(words, tree));
    ArcCounts counts;
    counts.add(tree);
    const ArcTable table = counts.table(1, false);
    const auto actions = table.actions(vocab_->strings());
    const transition::ArcGold gold = arc_gold(example, aligned_parse(example), table);
    const Doc* docs[] = {&example.predicted()};
    const auto marks = sentence_marks(docs);
    const auto starts = first_arc_states(docs);
    return arc_training_states(example, starts[0], {actions, {marks.data()}, &gold}, cut).size();
  }
};

// All tokens of a chain of heads stay on the stack until its end, in every piece.
TEST_F(LongParseTest, PiecesThatHoldTooManyTokensAreRefused) {
  const auto one_before = [](int i) { return i == 0 ? 0 : i - 1; };
  EXPECT_EQ(learn(2'000, 10, one_before), 200U);
  EXPECT_THROW(learn(4'000, 1, one_before), Error);
}

// Every state looks at all children of the first token, or all of the last one's.
TEST_F(LongParseTest, TokensWithTooManyChildrenAreRefused) {
  constexpr int kLong = 20'000;
  EXPECT_EQ(learn(2'000, 1'000, [](int) { return 0; }), 4U);
  EXPECT_THROW(learn(kLong, kLong, [](int) { return 0; }), Error);
  EXPECT_THROW(learn(kLong, kLong, [](int) { return kLong - 1; }), Error);
}

}  // namespace
}  // namespace weft
