#include "framework/matching/attribute_rules.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AttributeRulesTest : public ::testing::Test {
 protected:
  // After a rule that sets `attrs` of every "b".
  Doc ruled(const std::string& attrs) {
    AttributeRules rules(vocab_->strings(), false);
    rules.add({parse_json(R"([[{"ORTH": "b"}]])")->as_list(), parse_json(attrs)->as_object()});
    Doc doc = Doc::from_words(vocab_, {"a", "b", "c"}, {true, true, true});
    rules.apply(doc);
    return doc;
  }
  std::string error_of(const std::string& attrs) {
    try {
      ruled(attrs);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(AttributeRulesTest, SetWhatIsNoText) {
  EXPECT_THAT(ruled(R"({"SENT_START": true})").sent_starts(), ElementsAre(1, 1, 0));
  EXPECT_THAT(ruled(R"({"sent_start": 0})").sent_starts(), ElementsAre(1, 0, 0));
  EXPECT_THAT(ruled(R"({"HEAD": 1})").heads(), ElementsAre(0, 1, 0));
  EXPECT_EQ(ruled(R"({"SPACY": 0})").text(), "a bc ");
  const Doc doc = ruled(R"({"ENT_IOB": "B", "ENT_TYPE": "X"})");
  EXPECT_THAT(doc.ent_iobs(), ElementsAre(Iob::missing, Iob::begin, Iob::missing));
  EXPECT_EQ(doc.string(doc.ent_type(1)), "X");
  EXPECT_THAT(ruled(R"({"ENT_IOB": 2})").ent_iobs(),
              ElementsAre(Iob::missing, Iob::out, Iob::missing));
}

TEST_F(AttributeRulesTest, RefuseWhatDoesNotFit) {
  EXPECT_THAT(error_of(R"({"ENT_IOB": "X"})"), HasSubstr("ENT_IOB"));
  EXPECT_THAT(error_of(R"({"ENT_IOB": 4})"), HasSubstr("from 0 to 3"));
  EXPECT_THAT(error_of(R"({"SENT_START": -1})"), HasSubstr("true or false"));
  EXPECT_THAT(error_of(R"({"SPACY": "yes"})"), HasSubstr("true or false"));
  EXPECT_THAT(error_of(R"({"HEAD": 2})"), HasSubstr("head of token 1"));
  EXPECT_THAT(error_of(R"({"TAG": -1})"), HasSubstr("below 0"));
  EXPECT_THAT(error_of(R"({"POS": 65536})"), HasSubstr("no text is known for the number 65536"));
  EXPECT_EQ(error_of(R"({"POS": "NOUM"})"),
            "rule 1, POS: \"NOUM\" is no part of speech of Universal Dependencies; did you mean "
            "NOUN or NUM?");
  EXPECT_EQ(error_of(R"({"POS": "", "TAG": "NOUM"})"), "");
  EXPECT_THAT(error_of(R"({"IS_SENT_START": 1})"), HasSubstr("an attribute ruler sets"));
  EXPECT_THAT(error_of(R"({"LOWER": "x"})"), HasSubstr("an attribute ruler sets"));
}

}  // namespace
}  // namespace weft
