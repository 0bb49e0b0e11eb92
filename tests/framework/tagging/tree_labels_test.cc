#include "framework/tagging/tree_labels.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/pipeline/label_limit.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using testing::ElementsAre;

TEST(TreeLabels, BestOfBreaksTiesAsTheReferenceDoes) {
  const float scores[] = {1, 3, 2, 3, 0};
  EXPECT_THAT(best_of(scores, 1), ElementsAre(1));
  EXPECT_THAT(best_of(scores, 3), ElementsAre(1, 3, 2));
  EXPECT_THAT(best_of(scores, 9), ElementsAre(1, 3, 2, 0, 4));
  EXPECT_THAT(best_of(scores, 21), ElementsAre(3, 1, 2, 0, 4));
  const float odd[] = {std::numeric_limits<float>::quiet_NaN(), 1, 2};
  EXPECT_THAT(best_of(odd, 3), ElementsAre(2, 1, 0));
}

TEST(TreeLabels, ClassesAreInTheOrderOfTheirFirstToken) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"went", "dogs", "cats", "went", "x"}, {});
  auto& strings = vocab->strings();
  doc.set_column(Attr::lemma,
                 {strings.add("go"), strings.add("dog"), strings.add("cat"), strings.add("go"), 0});
  TreeCounts counts;
  counts.add(doc);
  const TreeLabels labels = counts.labels(2);
  EXPECT_EQ(labels.size(), 2);
  EXPECT_EQ(labels.find("went", "go"), 0);
  EXPECT_EQ(labels.find("pets", "pet"), 1);
  EXPECT_EQ(labels.find("x", "y"), std::nullopt);
  EXPECT_EQ(counts.labels(3).size(), 0);
  const TreeLabels again = TreeLabels::from_object(Node(labels.to_object()), "labels");
  EXPECT_TRUE(Node(again.to_object()).same_value(Node(labels.to_object())));
  EXPECT_EQ(again.find("pets", "pet"), 1);
}

TEST(TreeLabels, NumbersWithoutATreeAreRefused) {
  TreeLabels labels;
  labels.take_numbers(Node(List{3}), "cfg");
  EXPECT_THROW(labels.take_trees(EditTrees(), "trees"), Error);
  EXPECT_THROW(labels.take_numbers(Node(List{-1}), "cfg"), Error);
  EXPECT_THROW(labels.take_numbers(Node(List{"a"}), "cfg"), Error);
  EXPECT_THROW(labels.take_numbers(Node("a"), "cfg"), Error);
}

TEST(TreeLabels, AreAsManyAsAComponentMayHave) {
  List numbers;
  for (std::int64_t i = 0; i < kMostClasses; ++i) numbers.emplace_back(i);
  TreeLabels labels;
  labels.take_numbers(Node(numbers), "cfg");
  EXPECT_EQ(labels.size(), kMostClasses);
  numbers.emplace_back(kMostClasses);
  EXPECT_THROW(labels.take_numbers(Node(numbers), "cfg"), Error);
}

}  // namespace
}  // namespace weft
