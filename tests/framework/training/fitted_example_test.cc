#include "framework/training/fitted_example.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/parser/ner_gold.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The text "New York-based Ann Lee-x", which the reference cuts at hyphens and the pipeline does
// not.
class FittedExampleTest : public ::testing::Test {
 protected:
  Doc words(std::initializer_list<std::string_view> list,
            std::initializer_list<bool> spaces) const {
    return Doc::from_words(vocab_, list, spaces);
  }
  Doc reference() const {
    Doc doc = words({"New", "York", "-", "based", "Ann", "Lee", "-", "x"},
                    {true, false, false, true, true, false, false, false});
    StringStore& strings = vocab_->strings();
    doc.set_ents({{0, 2, strings.add("GPE")}, {4, 5, strings.add("PERSON")}});
    doc.set_sent_starts({1, -1, -1, -1, 1, -1, -1, -1});
    doc.set_cat("SHORT", 1.0);
    return doc;
  }
  Doc predicted() const {
    return words({"New", "York-based", "Ann", "Lee-x"}, {true, true, true, false});
  }
  Example fitted(Doc doc, AlignmentPolicy policy) {
    told_.clear();
    return fitted_example(predicted(), std::move(doc), policy, place_,
                          [this](const Misaligned& found) { told_.push_back(found.str()); });
  }
  // "GPE 0-2 PERSON 2-3" of the gold tags, "?" for a token without annotation.
  std::string tags(const Example& example) const {
    std::string text;
    for (const GoldTag& tag : gold_tags(example)) {
      if (tag.move == Move::missing) text += '?';
      if (tag.move == Move::out) text += 'O';
      if (tag.move != Move::missing && tag.move != Move::out) {
        text += vocab_->strings().find(tag.label).value_or("!")[0];
      }
    }
    return text;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<const Vocab>("en");
  ExamplePlace place_{std::make_shared<const std::string>("a.spacy"), 0, 3};
  std::vector<std::string> told_;
};

TEST_F(FittedExampleTest, DroppedEntitiesLeaveTheirTokensWithoutAnnotation) {
  const Example example = fitted(reference(), AlignmentPolicy::drop);
  EXPECT_EQ(tags(example), "??PO");
  EXPECT_EQ(example.reference().size(), 8) << "the reference stays as it is";
  EXPECT_THAT(told_,
              ElementsAre("a.spacy  document 3: GPE at characters 0 to 8, \"New York\", does "
                          "not fall on token boundaries (tokens \"New\" \"York-based\")"));
}

TEST_F(FittedExampleTest, ExpandedEntitiesTakeAllTheirTokens) {
  const Example example = fitted(reference(), AlignmentPolicy::expand);
  EXPECT_EQ(tags(example), "GGPO");
  EXPECT_THAT(told_, ElementsAre(HasSubstr("\"New York-based\" is taken instead")));
  const Doc& reference = example.reference();
  EXPECT_EQ(reference.size(), 4);
  EXPECT_EQ(reference.cats().size(), 1u);
  EXPECT_THAT(reference.sent_starts(), ElementsAre(1, -1, 1, -1));
}

TEST_F(FittedExampleTest, ContractedEntitiesKeepWhatLiesInside) {
  EXPECT_EQ(tags(fitted(reference(), AlignmentPolicy::contract)), "GOPO");
  EXPECT_THAT(told_, ElementsAre(HasSubstr("\"New\" is taken instead")));
}

TEST_F(FittedExampleTest, WithoutATokenInsideNothingIsLeftToKeep) {
  Doc doc = reference();
  doc.set_ents({{1, 2, vocab_->strings().add("GPE")}});
  EXPECT_EQ(tags(fitted(std::move(doc), AlignmentPolicy::contract)), "O?OO");
}

TEST_F(FittedExampleTest, AnErrorNamesFileDocumentCharactersAndText) {
  try {
    fitted(reference(), AlignmentPolicy::error);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(std::string(error.what()), HasSubstr("a.spacy"));
    EXPECT_THAT(std::string(error.what()),
                HasSubstr("document 3: GPE at characters 0 to 8, \"New York\""));
  }
}

TEST_F(FittedExampleTest, TokensWithoutAnnotationStayWithoutUnlessAnEntityTakesThem) {
  Doc doc = words({"New", "York", "-", "based", "Ann", "Lee", "-", "x"},
                  {true, false, false, true, true, false, false, false});
  StringStore& strings = vocab_->strings();
  doc.set_ents({{0, 2, strings.add("GPE")}}, EntsDefault::missing);
  EXPECT_EQ(tags(fitted(std::move(doc), AlignmentPolicy::expand)), "GG??");
}

TEST_F(FittedExampleTest, WhatFitsIsLeftAlone) {
  Doc doc = reference();
  doc.set_ents({{0, 1, vocab_->strings().add("GPE")}});
  for (const auto policy : {AlignmentPolicy::error, AlignmentPolicy::drop, AlignmentPolicy::expand,
                            AlignmentPolicy::contract}) {
    EXPECT_EQ(fitted(doc, policy).reference().size(), 8);
    EXPECT_THAT(told_, IsEmpty());
  }
}

TEST(ExamplePlaceTest, SaysWhatIsKnown) {
  EXPECT_EQ(ExamplePlace().str(), "");
  const auto file = std::make_shared<const std::string>("a.jsonl");
  EXPECT_EQ((ExamplePlace{file, 7, 6}.str()), "a.jsonl:7, document 6");
  EXPECT_EQ((ExamplePlace{file, 0, 6}.str()), "a.jsonl, document 6");
  EXPECT_EQ((ExamplePlace{nullptr, 0, 6}.str()), "document 6");
}

}  // namespace
}  // namespace weft
