// Examples from offsets, tags and spans.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/parser/ner_gold.h"
#include "framework/text/example.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ExampleAnnotation : public ::testing::Test {
 protected:
  Doc doc() const {
    return Doc::from_words(vocab_, {"Ada", "Lovelace", "lived", "in", "London", "."},
                           {true, true, true, true, false, false});
  }
  static std::vector<std::string> ents_of(const Doc& doc) {
    std::vector<std::string> texts;
    for (const Span& ent : doc.ents()) {
      texts.push_back(std::string(doc.span_text(ent.start, ent.end)) + "/" +
                      std::string(doc.string(ent.label)));
    }
    return texts;
  }
  template <class Action>
  static std::string failure(Action action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "it works";
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(ExampleAnnotation, OffsetsTagsAndSpansGiveTheSame) {
  const std::vector<Example> examples = {
      Example::from_offsets(doc(), {{0, 12, "PERSON"}, {22, 28, "GPE"}}),
      Example::from_tags(doc(), {"B-PERSON", "L-PERSON", "O", "O", "U-GPE", "O"}),
      Example::from_tags(doc(), {"B-PERSON", "I-PERSON", "O", "O", "B-GPE", "O"}),
      Example::from_spans(doc(), {{0, 2, "PERSON"}, {4, 5, "GPE"}}),
  };
  for (const Example& example : examples) {
    EXPECT_THAT(ents_of(example.reference()), ElementsAre("Ada Lovelace/PERSON", "London/GPE"));
    EXPECT_FALSE(example.predicted().has_ents());
    EXPECT_EQ(gold_tags(example), gold_tags(examples.front()));
    EXPECT_EQ(gold_tags(example)[2].move, Move::out);
  }
}

TEST_F(ExampleAnnotation, OffsetsCountCodePoints) {
  const Doc text = Doc::from_words(vocab_, {"Zürich", "ist", "groß"}, {true, true, false});
  const Example example = Example::from_offsets(text, {{0, 6, "GPE"}});
  EXPECT_THAT(ents_of(example.reference()), ElementsAre("Zürich/GPE"));
}

TEST_F(ExampleAnnotation, NoEntityMeansOutsideNotUnknown) {
  const Example none = Example::from_offsets(doc(), {});
  EXPECT_TRUE(none.reference().has_ents());
  EXPECT_EQ(gold_tags(none)[0].move, Move::out);
  const Example unknown = Example::from_tags(doc(), {"-", "", "O", "O", "U-GPE", "O"});
  EXPECT_EQ(gold_tags(unknown)[0].move, Move::missing);
  EXPECT_EQ(gold_tags(unknown)[1].move, Move::missing);
}

TEST_F(ExampleAnnotation, WhatDoesNotFitTheTokensIsRefusedOrRepaired) {
  const std::string message = failure([&] { Example::from_offsets(doc(), {{0, 5, "PERSON"}}); });
  EXPECT_THAT(message, HasSubstr("PERSON at characters 0 to 5, \"Ada L\""));
  EXPECT_THAT(message, HasSubstr("does not fall on token boundaries"));
  const Example wide = Example::from_offsets(doc(), {{0, 5, "PERSON"}}, AlignmentPolicy::expand);
  EXPECT_THAT(ents_of(wide.reference()), ElementsAre("Ada Lovelace/PERSON"));
  const Example left_out = Example::from_offsets(doc(), {{0, 5, "PERSON"}}, AlignmentPolicy::drop);
  EXPECT_EQ(gold_tags(left_out)[0].move, Move::missing);
  EXPECT_EQ(gold_tags(left_out)[2].move, Move::out);
}

TEST_F(ExampleAnnotation, MistakesAreNamed) {
  EXPECT_THAT(failure([&] {
                Example::from_offsets(doc(), {{22, 99, "GPE"}});
              }),
              HasSubstr("goes past the end"));
  EXPECT_THAT(failure([&] {
                Example::from_offsets(doc(), {{0, 12, "A"}, {4, 12, "B"}});
              }),
              HasSubstr("shares a token"));
  EXPECT_THAT(failure([&] {
                Example::from_tags(doc(), {"O", "O"});
              }),
              HasSubstr("2 tags for 6 tokens"));
  EXPECT_THAT(failure([&] {
                Example::from_tags(doc(), {"O", "X-A", "O", "O", "O", "O"});
              }),
              HasSubstr("token 1"));
  EXPECT_NE(failure([&] { Example::from_spans(doc(), {{4, 9, "GPE"}}); }), "it works");
  EXPECT_NE(failure([&] { Example::from_spans(doc(), {{0, 2, "A"}, {1, 3, "B"}}); }), "it works");
}

TEST_F(ExampleAnnotation, TheTokenizersNormsReachThePredictedDocument) {
  Doc doc = Doc::from_words(vocab_, {"I", "'m"}, {false, false});
  const Example example = Example::from_spans(doc, {});
  EXPECT_EQ(example.predicted().tokens(), doc.tokens());
}

}  // namespace
}  // namespace weft
