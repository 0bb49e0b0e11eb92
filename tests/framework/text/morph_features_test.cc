#include "framework/text/morph_features.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(MorphFeatures, FieldsAndValuesAreSortedAndTheLastOfAFieldWins) {
  EXPECT_EQ(normalised_features("Number=Sing|Case=Nom"), "Case=Nom|Number=Sing");
  EXPECT_EQ(normalised_features("VerbForm=Inf,Fin"), "VerbForm=Fin,Inf");
  EXPECT_EQ(normalised_features("a=B,b,A"), "a=A,B,b");
  EXPECT_EQ(normalised_features("A=b,b"), "A=b,b") << "repetitions stay";
  EXPECT_EQ(normalised_features("A=b|A=c"), "A=c");
  EXPECT_EQ(normalised_features("=x"), "=x");
  EXPECT_EQ(normalised_features("A="), "A=");
}

TEST(MorphFeatures, AreSortedAsWholeStrings) {
  // "=" comes before "[", but after digits and hyphens.
  EXPECT_EQ(normalised_features("Number[psor]=Sing|Number=Plur"), "Number=Plur|Number[psor]=Sing");
  EXPECT_EQ(normalised_features("Num=A|Num2=B"), "Num2=B|Num=A");
}

TEST(MorphFeatures, NoneIsAnUnderscore) {
  EXPECT_EQ(normalised_features(""), "_");
  EXPECT_EQ(normalised_features("_"), "_");
  EXPECT_TRUE(MorphFeatures::parse("_").empty());
}

TEST(MorphFeatures, LaterFieldsReplace) {
  MorphFeatures features = MorphFeatures::parse("Case=Nom|Number=Sing");
  features.update(MorphFeatures::parse("Number=Plur|Person=1"));
  EXPECT_THAT(features.parts(), ElementsAre("Case=Nom", "Number=Plur", "Person=1"));
}

TEST(MorphFeatures, PartsThatAreNoPairAreNamed) {
  for (const char* wrong : {"Case", "A=b|", "A=b||C=d", "A=b=c", "|", "A=b|_"}) {
    EXPECT_THROW(MorphFeatures::parse(wrong), Error) << wrong;
  }
  try {
    MorphFeatures::parse("Case=Nom|Plur");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"Plur\" is not one Field=Value"));
  }
}

TEST(MorphFeatures, ATokenTellsUnsetFromEmpty) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"the", "dogs", "!"}, {true, false, false});
  EXPECT_FALSE(has_morph(doc, 0)) << "no column at all";
  doc.set_column(Attr::morph, {vocab->strings().add("_"), vocab->strings().add("B=c|A=b"), 0});
  EXPECT_TRUE(has_morph(doc, 0));
  EXPECT_FALSE(has_morph(doc, 2));
  EXPECT_EQ(morph_text(doc, 0), "");
  EXPECT_EQ(morph_text(doc, 2), "");
  EXPECT_EQ(morph_of(doc, 1).str(), "A=b|B=c");
}

}  // namespace
}  // namespace weft
