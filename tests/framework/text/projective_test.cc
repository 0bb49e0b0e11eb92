#include "framework/text/projective.h"

#include <ctime>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/vocab.h"
#include "registry/base/error.h"
#include "tests/sanitizers.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<bool> kNoSpace(7, false);

TEST(Projective, LiftsTheShortestCrossingArcFirst) {
  const DependencyTree tree{{0, 4, 1, 6, 0, 0, 0}, {"ROOT", "b", "a", "b", "c", "c", "c"}};
  const DependencyTree lifted = projectivized(tree);
  EXPECT_THAT(lifted.heads, ElementsAre(0, 0, 1, 0, 0, 0, 0));
  EXPECT_THAT(lifted.labels, ElementsAre("ROOT", "b||c", "a", "b||c", "c", "c", "c"));
  EXPECT_FALSE(has_crossing_arcs(lifted.heads));
}

TEST(Projective, LeavesATreeWithoutCrossingArcsAlone) {
  const DependencyTree tree{{1, 1, 1}, {"a", "ROOT", "b"}};
  EXPECT_EQ(projectivized(tree).heads, tree.heads);
  EXPECT_EQ(projectivized(tree).labels, tree.labels);
}

TEST(Projective, MovesALiftedTokenBelowTheLabelThatItRemembers) {
  const DependencyTree lifted{{2, 2, 2, 2}, {"b", "c", "ROOT", "a||b"}};
  const DependencyTree tree = deprojectivized(lifted, kNoSpace);
  EXPECT_THAT(tree.heads, ElementsAre(2, 2, 2, 0));
  EXPECT_THAT(tree.labels, ElementsAre("b", "c", "ROOT", "a"));
}

TEST(Projective, NeverMovesATokenBelowWhiteSpace) {
  const DependencyTree lifted{{2, 2, 2, 2}, {"b", "b", "ROOT", "a||b"}};
  EXPECT_EQ(deprojectivized(lifted, {true, false, false, false}).heads[3], 1);
}

TEST(Projective, RefusesACycleAndALabelThatWasLiftedTwice) {
  EXPECT_THROW(projectivized({{1, 2, 0}, {"a", "a", "a"}}), Error);
  EXPECT_THROW(deprojectivized({{0, 0}, {"ROOT", "a||b||c"}}, kNoSpace), Error);
}

TEST(Projective, ADecoratedRootEndsItsSearch) {
  const DependencyTree tree = deprojectivized({{0, 0, 1}, {"a||x", "x", "x||x"}}, kNoSpace);
  EXPECT_THAT(tree.labels, ElementsAre("a", "x", "x"));
}

TEST(Projective, TooManyCrossingArcsAreRefusedInBoundedTime) {
  DependencyTree tree;
  const std::int32_t size = 60000;
  for (std::int32_t i = 0; i < size; ++i) {
    tree.heads.push_back(i < 2 ? i : i / 2 % 2 == 0 ? (i * 7919) % i : i - 2);
    tree.labels.emplace_back("x");
  }
  const auto start = std::clock();
  try {
    projectivized(tree);
    FAIL() << "it was lifted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("too many crossing arcs"));
  }
  if (testing_tools::kHasSanitizer) return;  // processor time says nothing there
  EXPECT_LT(std::clock() - start, 20 * CLOCKS_PER_SEC);
}

TEST(Projective, SentencesFollowFromTheHeads) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"She", "sang", ".", "He", "left"});
  set_parse(doc, {{1, 1, 1, 4, 4}, {"nsubj", "ROOT", "punct", "nsubj", "ROOT"}});
  EXPECT_THAT(doc.sent_starts(), ElementsAre(1, -1, -1, 1, -1));
  EXPECT_THAT(doc.heads(), ElementsAre(1, 0, -1, 1, 0));
  EXPECT_EQ(dependency_tree(doc).labels[3], "nsubj");
}

}  // namespace
}  // namespace weft
