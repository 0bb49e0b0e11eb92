#include "framework/parser/ner_gold.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "framework/parser/token_marks.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using transition::Action;
using transition::State;

class NerGold : public testing::Test {
 protected:
  // A document of `tokens` one-letter words.
  Doc words(int tokens) {
    return Doc::from_words(vocab_, std::vector<std::string>(static_cast<std::size_t>(tokens), "w"));
  }
  StringId label(const char* name) { return vocab_->strings().add(name); }

  // Class order B-A I-A L-A U-A U- O.
  std::vector<Action> actions() {
    const StringId a = label("A");
    return {{Move::begin, a}, {Move::in, a},   {Move::last, a},
            {Move::unit, a},  {Move::unit, 0}, {Move::out, 0}};
  }

  // (position, open_start) of every start state.
  std::vector<std::pair<int, int>> starts(const Example& example, int max_moves) {
    const Doc* doc = &example.predicted();
    const TokenMarks marks({&doc, 1});
    const auto tags = gold_tags(example);
    const auto classes = actions();
    const OracleView oracle{classes, marks.view(), {tags.data(), {}}};
    std::vector<std::pair<int, int>> result;
    const State first = first_states({&doc, 1})[0];
    for (const State& state : training_states(example, std::nullopt, first, oracle, max_moves)) {
      result.emplace_back(state.position, state.open_start);
    }
    return result;
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

using Starts = std::vector<std::pair<int, int>>;

TEST_F(NerGold, ShortDocumentIsOneState) {
  Doc reference = words(4);
  reference.set_ents({{1, 3, label("A")}});
  const Example example = Example::from_reference(std::move(reference));
  EXPECT_EQ(starts(example, 0), (Starts{{0, -1}}));
  EXPECT_EQ(starts(example, 5), (Starts{{0, -1}}));
}

TEST_F(NerGold, DocumentOfTheLengthOfAPieceCountsAsLong) {
  Doc reference = words(4);
  reference.set_ents({{1, 3, label("A")}});
  const Example example = Example::from_reference(std::move(reference));
  EXPECT_EQ(starts(example, 4), (Starts{{0, -1}}));
  EXPECT_EQ(starts(example, 2), (Starts{{0, -1}, {2, 1}}));
}

TEST_F(NerGold, NoAnnotationGivesNoState) {
  EXPECT_EQ(starts(Example::from_reference(words(3)), 0), Starts{});
}

TEST_F(NerGold, OracleOpensAnEntityWhereNothingIsKnown) {
  Doc reference = words(6);
  const Span missing{2, 4};
  reference.set_ents(std::vector<Span>{}, EntsDefault::outside, {}, {&missing, 1});
  const Example example = Example::from_reference(std::move(reference));
  // Piece 2-3 has no annotation; piece 4-5 starts inside what was opened at 2, but the test of the
  // last piece looks at token 4 only.
  EXPECT_EQ(starts(example, 2), (Starts{{0, -1}, {4, 2}}));
}

TEST_F(NerGold, LastPieceIsJudgedWithoutItsLastToken) {
  Doc reference = words(5);
  const Span missing{2, 4};
  reference.set_ents(std::vector<Span>{}, EntsDefault::outside, {}, {&missing, 1});
  const Example example = Example::from_reference(std::move(reference));
  EXPECT_EQ(starts(example, 2), (Starts{{0, -1}, {4, 2}}));  // no token left: the whole document
  EXPECT_EQ(starts(example, 3), (Starts{{0, -1}}));          // token 3 has no annotation
}

TEST_F(NerGold, SpansKnownToBeWrongCountAsAnnotation) {
  Doc reference = words(3);
  reference.set_span_group("no", {"no", "", {{0, 1, label("A")}}});
  const Example example = Example::from_reference(std::move(reference));
  EXPECT_FALSE(has_entity_gold(example, std::nullopt));
  EXPECT_TRUE(has_entity_gold(example, "no"));
  const auto negatives = negative_spans(example, "no");
  ASSERT_EQ(negatives.size(), 1);
  EXPECT_EQ(negatives[0].end, 1);
  EXPECT_EQ(negatives[0].label, label("A"));
}

TEST_F(NerGold, AnEntityCannotBeKnownToBeWrong) {
  Doc reference = words(3);
  reference.set_ents({{0, 1, label("A")}});
  reference.set_span_group("no", {"no", "", {{0, 1, label("A")}}});
  const Example example = Example::from_reference(std::move(reference));
  EXPECT_THROW(negative_spans(example, "no"), Error);
}

TEST_F(NerGold, AnEntityMayShareAnythingButAllWithASpanKnownToBeWrong) {
  for (const Span& wrong :
       {Span{0, 2, label("A")}, Span{1, 3, label("A")}, Span{0, 3, label("B")}}) {
    Doc reference = words(4);
    reference.set_ents({{0, 3, label("A")}});
    reference.set_span_group("no", {"no", "", {wrong}});
    const Example example = Example::from_reference(std::move(reference));
    const auto negatives = negative_spans(example, "no");
    ASSERT_EQ(negatives.size(), 1U) << wrong.start << ' ' << wrong.end;
    EXPECT_EQ(negatives[0].start, wrong.start);
    EXPECT_EQ(negatives[0].end, wrong.end);
    EXPECT_EQ(negatives[0].label, wrong.label);
  }
}

TEST_F(NerGold, OneTokenWithAnnotationIsEnoughWhereverItStands) {
  for (int known = 0; known < 3; ++known) {
    std::vector<Span> missing;
    for (int i = 0; i < 3; ++i) {
      if (i != known) missing.push_back({i, i + 1});
    }
    Doc reference = words(3);
    reference.set_ents(std::vector<Span>{}, EntsDefault::outside, {}, missing);
    EXPECT_TRUE(has_entity_gold(Example::from_reference(std::move(reference)), std::nullopt))
        << known;
  }
}

TEST_F(NerGold, AnnotateWritesClosedEntitiesAndKeepsTheRest) {
  Doc doc = words(6);
  doc.set_ents({{5, 6, label("B")}}, EntsDefault::missing);
  const std::vector<std::int32_t> classes = {0, 1, 2, 5, 3};  // B I L O U
  annotate(doc, classes, actions());
  const std::vector<Span> expected = {{0, 3, label("A")}, {4, 5, label("A")}, {5, 6, label("B")}};
  EXPECT_EQ(doc.ents(), expected);
  EXPECT_EQ(doc.ent_iob(3), Iob::out);
}

TEST_F(NerGold, AnnotateLeavesOpenEntitiesOut) {
  Doc doc = words(2);
  annotate(doc, std::vector<std::int32_t>{0, 1}, actions());
  EXPECT_TRUE(doc.ents().empty());
  EXPECT_EQ(doc.ent_iob(0), Iob::out);
}

}  // namespace
}  // namespace weft
