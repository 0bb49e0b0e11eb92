// The parses of a shard: which documents have one, in which order, with which spans known to be
// wrong.
#include "framework/parser/training_parses.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

using transition::Action;

class TrainingParsesTest : public testing::Test {
 protected:
  // A document of `tokens` one-letter words without entities; `wrong` is known to be none.
  void add(int tokens, std::vector<Span> wrong = {}, bool annotated = true) {
    Doc reference =
        Doc::from_words(vocab_, std::vector<std::string>(static_cast<std::size_t>(tokens), "w"));
    if (annotated) reference.set_ents(std::vector<Span>{});
    if (!wrong.empty()) reference.set_span_group("no", {"no", "", std::move(wrong)});
    examples_.push_back(std::make_unique<Example>(Example::from_reference(std::move(reference))));
  }
  TrainingParses parses(int max_moves) const {
    std::vector<Example*> examples;
    std::vector<const Doc*> docs;
    for (const auto& example : examples_) {
      examples.push_back(example.get());
      docs.push_back(&example->predicted());
    }
    const std::vector<Action> actions = {{Move::unit, label_}, {Move::out, 0}};
    return training_parses(examples, docs, TokenMarks(docs), actions, "no", max_moves);
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
  StringId label_ = vocab_->strings().add("A");
  std::vector<std::unique_ptr<Example>> examples_;
};

TEST_F(TrainingParsesTest, SpansKnownToBeWrongComeWithTheStatesOfTheirDocument) {
  add(2);
  add(3, {{1, 2, label_}});
  const TrainingParses found = parses(0);
  EXPECT_EQ(found.tags.size(), 5U);
  ASSERT_EQ(found.states.size(), 2U);
  ASSERT_EQ(found.negatives.size(), 2U);
  EXPECT_TRUE(found.negatives[0].empty());
  ASSERT_EQ(found.negatives[1].size(), 1U);
  EXPECT_EQ(found.negatives[1][0].start, 1);
  EXPECT_EQ(found.negatives[1][0].end, 2);
  EXPECT_EQ(found.negatives[1][0].label, label_);
}

TEST_F(TrainingParsesTest, WithoutSuchSpansThereIsNoListOfThem) {
  add(2);
  EXPECT_EQ(parses(0).states.size(), 1U);
  EXPECT_TRUE(parses(0).negatives.empty());
}

TEST_F(TrainingParsesTest, WholeDocumentsComeBeforePieces) {
  add(4, {{0, 1, label_}});  // as long as a piece: cut
  add(3, {{2, 3, label_}});
  add(2, {}, false);  // says nothing of entities: tags, but no parse
  const TrainingParses found = parses(4);
  EXPECT_EQ(found.tags.size(), 9U);
  ASSERT_EQ(found.states.size(), 2U);
  EXPECT_EQ(found.states[0].length, 3);
  EXPECT_EQ(found.states[1].length, 4);
  ASSERT_EQ(found.negatives.size(), 2U);
  EXPECT_EQ(found.negatives[0].at(0).start, 2);
  EXPECT_EQ(found.negatives[1].at(0).start, 0);
}

}  // namespace
}  // namespace weft
