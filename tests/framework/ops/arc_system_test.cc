// The arc-eager system as a whole: parses end, stay a tree, and follow the gold parse.
#include "framework/ops/arc_system.h"

#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::transition {
namespace {

using ::testing::ElementsAre;

constexpr std::uint64_t kA = 11, kB = 22;
const std::vector<ArcAction> kActions = {
    {ArcMove::shift, 0},  {ArcMove::reduce, 0}, {ArcMove::left, kA},    {ArcMove::left, kB},
    {ArcMove::right, kA}, {ArcMove::right, kB}, {ArcMove::sentence, kA}};

struct Tree {
  std::vector<std::int32_t> heads;
  std::vector<std::uint64_t> labels;
};

// A random tree without crossing arcs over tokens [begin, end); gives its root.
int grow(Tree& tree, int begin, int end, std::mt19937& random) {
  const int root = begin + static_cast<int>(random() % static_cast<unsigned>(end - begin));
  tree.heads[static_cast<std::size_t>(root)] = root;
  for (const auto& [from, to] : {std::pair(begin, root), std::pair(root + 1, end)}) {
    for (int at = from; at < to;) {
      const int stop = at + 1 + static_cast<int>(random() % static_cast<unsigned>(to - at));
      tree.heads[static_cast<std::size_t>(grow(tree, at, stop, random))] = root;
      at = stop;
    }
  }
  return root;
}

Tree random_tree(int size, std::mt19937& random) {
  Tree tree{std::vector<std::int32_t>(static_cast<std::size_t>(size)), {}};
  grow(tree, 0, size, random);
  for (int i = 0; i < size; ++i) tree.labels.push_back(random() % 2 == 0 ? kA : kB);
  return tree;
}

ArcGold gold_of(const Tree& tree) {
  ArcGold gold;
  gold.head = tree.heads;
  gold.label = tree.labels;
  gold.known.assign(tree.heads.size(), 1);
  gold.starts.assign(tree.heads.size(), 0);
  gold.starts[0] = 1;
  gold.next_mark.assign(tree.heads.size(), static_cast<std::int32_t>(tree.heads.size()));
  gold.kids_begin.push_back(0);
  for (std::size_t head = 0; head < tree.heads.size(); ++head) {
    for (std::size_t i = 0; i < tree.heads.size(); ++i) {
      if (i != head && tree.heads[i] == static_cast<std::int32_t>(head)) {
        gold.kids.push_back(static_cast<std::int32_t>(i));
      }
    }
    gold.kids_begin.push_back(static_cast<std::int32_t>(gold.kids.size()));
  }
  return gold;
}

class ArcEager : public ::testing::Test {
 protected:
  ArcMarks marks(std::size_t tokens) {
    marks_.assign(tokens, 0);
    return {marks_.data()};
  }
  // Some valid class, drawn evenly.
  int draw(const ArcState& state, const ArcMarks& marks) {
    const ValidArcs valid = valid_arcs(state, marks);
    std::vector<int> allowed;
    for (std::size_t k = 0; k < kActions.size(); ++k) {
      if (valid.allows(kActions[k])) allowed.push_back(static_cast<int>(k));
    }
    return allowed.empty() ? -1 : allowed[random_() % allowed.size()];
  }
  std::mt19937 random_{7};
  std::vector<std::int8_t> marks_;
};

TEST_F(ArcEager, EveryParseEndsWithinItsBoundAndLeavesATree) {
  for (int run = 0; run < 3000; ++run) {
    const int size = 1 + static_cast<int>(random_() % 14);
    const ArcMarks none = marks(static_cast<std::size_t>(size));
    for (std::int8_t& mark : marks_) {
      mark = run % 3 == 0 ? static_cast<std::int8_t>(static_cast<int>(random_() % 3) - 1) : 0;
    }
    ArcState state(0, size);
    while (!state.is_final()) {
      const int taken = draw(state, none);
      ASSERT_GE(taken, 0) << "no move is valid after " << state.steps();
      ArcSystem::apply(state, kActions[static_cast<std::size_t>(taken)]);
      ASSERT_LE(state.steps(), ArcSystem::most_steps(size));
    }
    for (int token = 0; token < size; ++token) {
      int above = token, steps = 0;
      while (state.has_head(above) && steps++ <= size) above = state.head(above);
      ASSERT_LE(steps, size) << "a cycle";
    }
  }
}

TEST_F(ArcEager, TheCheapestMovesBuildTheGoldTree) {
  for (int run = 0; run < 400; ++run) {
    const Tree tree = random_tree(1 + static_cast<int>(random_() % 16), random_);
    const ArcGold gold = gold_of(tree);
    const ArcMarks none = marks(tree.heads.size());
    ArcState state(0, static_cast<std::int32_t>(tree.heads.size()));
    std::vector<float> costs(kActions.size());
    while (!state.is_final()) {
      ArcSystem::fill_costs(state, kActions.data(), static_cast<int>(kActions.size()),
                            valid_arcs(state, none), &gold, costs.data());
      const auto best = std::min_element(costs.begin(), costs.end());
      ASSERT_LE(*best, 0);
      ArcSystem::apply(state, kActions[static_cast<std::size_t>(best - costs.begin())]);
    }
    for (std::size_t i = 0; i < tree.heads.size(); ++i) {
      const auto token = static_cast<std::int32_t>(i);
      if (tree.heads[i] == token) {
        EXPECT_FALSE(state.has_head(token));
      } else {
        EXPECT_EQ(state.head(token), tree.heads[i]);
        EXPECT_EQ(state.label(token), tree.labels[i]);
      }
    }
  }
}

TEST_F(ArcEager, TrimmingForgetsNothingThatMattersLater) {
  for (int run = 0; run < 500; ++run) {
    const int size = 2 + static_cast<int>(random_() % 14);
    constexpr int kFirst = 3;  // tokens of the batch before these
    const ArcMarks none = marks(static_cast<std::size_t>(kFirst + size));
    ArcState whole(kFirst, size), trimmed(kFirst, size);
    while (!whole.is_final()) {
      const auto taken = static_cast<std::size_t>(draw(whole, none));
      ArcSystem::apply(whole, kActions[taken]);
      ArcSystem::apply(trimmed, kActions[taken]);
      trimmed.trim();
      ASSERT_EQ(trimmed.stack_tokens(), whole.stack_tokens());
      for (std::size_t b = 0; b < 3; ++b) ASSERT_EQ(trimmed.buffer(b), whole.buffer(b));
      std::vector<std::int32_t> expected(13), rows(13);
      ArcSystem::features(whole, 13, expected.data());
      ArcSystem::features(trimmed, 13, rows.data());
      ASSERT_EQ(rows, expected);
    }
  }
}

TEST(ArcState, ATokenWithoutHeadIsPutBackUnlessItIsAloneOnTheStack) {
  ArcState state(0, 3);
  state.shift();
  state.shift();
  state.reduce();
  EXPECT_EQ(state.buffer(0), 1);
  EXPECT_TRUE(state.is_blocked(1));
  state.reduce();
  EXPECT_EQ(state.stack_depth(), 0U);
  EXPECT_EQ(state.buffer(0), 1);
}

TEST(ArcState, AnArcReplacesTheOneThatItsChildHad) {
  ArcState state(0, 3);
  state.shift();
  state.arc_right(kA);  // 0 -> 1
  EXPECT_EQ(state.youngest_right(0), 1);
  state.arc_left(kB);  // 2 -> 1
  EXPECT_EQ(state.head(1), 2);
  EXPECT_EQ(state.label(1), kB);
  EXPECT_EQ(state.youngest_right(0), kNoToken);
  EXPECT_EQ(state.youngest_left(2), 1);
}

TEST(ArcState, YoungestChildrenComeBeforeOlderOnes) {
  ArcState state(10, 4);
  state.shift();
  state.arc_right(kA);  // 0 -> 1
  state.reduce();
  state.arc_right(kA);  // 0 -> 2
  state.reduce();
  std::vector<std::int32_t> rows(8);
  features(state, 8, rows.data());
  EXPECT_THAT(rows, ElementsAre(13, -1, 10, -1, -1, -1, -1, 12));
  EXPECT_EQ(state.older(2), 1);
}

TEST(ArcMoves, SentenceStartsKeepArcsApart) {
  const std::vector<std::int8_t> starts = {1, 0, 1};
  const ArcMarks marks{starts.data()};
  ArcState state(0, 3);
  state.shift();
  state.arc_right(kA);
  const ValidArcs valid = valid_arcs(state, marks);
  EXPECT_FALSE(valid.arcs);
  EXPECT_FALSE(valid.shift);
  EXPECT_TRUE(valid.reduce);
}

TEST(ArcMoves, PartsOfAWordAreJoinedSideBySideOnly) {
  const std::vector<std::int8_t> starts = {0, 0, 0};
  const ArcMarks marks{starts.data()};
  const ArcAction part{ArcMove::right, kA, true};
  ArcState state(0, 3);
  state.shift();
  EXPECT_TRUE(valid_arcs(state, marks).allows(part));
  state.arc_right(kA);
  state.reduce();
  EXPECT_FALSE(valid_arcs(state, marks).allows(part));
  EXPECT_TRUE(valid_arcs(state, marks).allows({ArcMove::right, kA}));
}

}  // namespace
}  // namespace weft::transition
