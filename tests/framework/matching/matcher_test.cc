#include "framework/matching/matcher.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/symbols.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Doc words(const std::vector<std::string>& texts) {
  return Doc::from_words(std::make_shared<Vocab>("en"), texts);
}

// "key start end" for each match.
std::vector<std::string> found(const Matcher& matcher, const Doc& doc) {
  std::vector<std::string> texts;
  for (const TokenMatch& match : matcher.find(doc)) {
    texts.push_back(matcher.keys()[match.key] + " " + std::to_string(match.start) + " " +
                    std::to_string(match.end));
  }
  return texts;
}

std::string error_of(const char* patterns, bool validate = true) {
  try {
    Matcher matcher(validate);
    matcher.add("K", *parse_json(patterns));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Matcher, FindsEveryLengthInTheOrderOfTheirEnds) {
  Matcher matcher;
  matcher.add("A", *parse_json(R"([[{"LOWER": "a"}, {"LOWER": "b", "OP": "*"}]])"));
  matcher.add("B", *parse_json(R"([[{"ORTH": "b"}]])"));
  EXPECT_THAT(found(matcher, words({"a", "b", "b"})),
              ElementsAre("A 0 1", "B 1 2", "A 0 2", "B 2 3", "A 0 3"));
}

// As in spaCy where patterns are not validated: the condition holds of every token.
TEST(Matcher, AnUnknownPredicateIsLeftOutAndTold) {
  Matcher matcher(false);
  matcher.add("K", *parse_json(R"([[{"LOWER": {"REGX": "a"}}]])"));
  EXPECT_THAT(found(matcher, words({"b"})), ElementsAre("K 0 1"));
  EXPECT_THAT(
      matcher.warnings(),
      ElementsAre("pattern 1 of \"K\", token 1, LOWER REGX is no predicate, and every token "
                  "passes it; did you mean REGEX?"));
  for (int i = 0; i < 50; ++i) matcher.add("L", *parse_json(R"([[{"LOWER": {"NONE": "a"}}]])"));
  EXPECT_EQ(matcher.warnings().size(), 20U);
}

TEST(Matcher, NamesPatternTokenAndAttributeOfWhatIsWrong) {
  EXPECT_THAT(error_of(R"([[{}], [{}, {"LOWR": "a"}]])"),
              AllOf(HasSubstr("pattern 2 of \"K\", token 2, LOWR"), HasSubstr("LOWER")));
  EXPECT_THAT(error_of(R"([[{"LOWER": {"REGEX": "("}}]])"), HasSubstr("token 1, LOWER REGEX"));
  EXPECT_THAT(error_of(R"([[{"OP": "{2,1}"}]])"), HasSubstr("token 1, OP"));
  EXPECT_THAT(error_of(R"([[{"_": {"x": 1}}]])", false), HasSubstr("extension attributes"));
  EXPECT_THAT(error_of(R"([[{"OP": "{99999}"}]])"), HasSubstr("limits"));
  EXPECT_THAT(error_of("[[]]"), HasSubstr("no token"));
}

TEST(Matcher, ATokenThatComesNoTimesIsLeftOut) {
  Matcher matcher;
  matcher.add("K", *parse_json(R"([[{"ORTH": "a", "OP": "{0}"}]])"));
  matcher.add("L", *parse_json(R"([[{"ORTH": "a", "OP": "{,0}"}, {"ORTH": "b"}]])"));
  EXPECT_THAT(found(matcher, words({"a", "b"})), ElementsAre("L 1 2"));
}

TEST(Matcher, NumbersOfAQuantityMayHaveBlanksWhereNothingIsChecked) {
  const auto found_by = [](const std::string& op) {
    Matcher matcher(false);
    matcher.add("K", *parse_json(R"([[{"ORTH": "a", "OP": ")" + op + "\"}]]"));
    return found(matcher, words({"a", "a", "b"}));
  };
  EXPECT_THAT(found_by("{1, 2}"), ElementsAre("K 0 1", "K 0 2", "K 1 2"));
  EXPECT_THAT(found_by("{ +1 ,2}"), ElementsAre("K 0 1", "K 0 2", "K 1 2"));
  EXPECT_THAT(found_by("{2, 1}"), ElementsAre("K 0 2"));
  for (const char* op : {"{ 1, 2}", "{ 2}", "{1, }", "{2,1}", "{a,2}", "{1,2,3}"}) {
    EXPECT_THAT(error_of((R"([[{"OP": ")" + std::string(op) + "\"}]]").c_str(), false),
                HasSubstr("token 1, OP"))
        << op;
  }
  EXPECT_THAT(error_of(R"([[{"OP": "{1, 2}"}]])"), HasSubstr("OP"));
}

TEST(Matcher, ComparesIntegersUpTo64Bits) {
  const std::string id = "11901859001352538922";  // of "a"
  ASSERT_EQ(std::to_string(string_id("a")), id);
  const auto found_by = [](const std::string& value) {
    Matcher matcher(false);
    matcher.add("K", *parse_json(R"([[{"ORTH": )" + value + "}]]"));
    return found(matcher, words({"z", "a"}));
  };
  EXPECT_THAT(found_by(id), ElementsAre("K 1 2"));
  EXPECT_THAT(found_by(R"({"IN": [)" + id + "]}"), ElementsAre("K 1 2"));
  EXPECT_THAT(found_by(R"({"==": )" + id + "}"), ElementsAre("K 1 2"));
  EXPECT_THAT(found_by(R"({"==": 11901859001352538921})"), ElementsAre());
  EXPECT_THAT(found_by(R"({"<": 1000000000000000000000000000000})"), ElementsAre("K 0 1", "K 1 2"));
  EXPECT_THAT(error_of(R"([[{"ORTH": 18446744073709551616}]])", false), HasSubstr("above 2^64"));
  EXPECT_THAT(error_of(R"([[{"ORTH": {"IN": [18446744073709551616]}}]])", false),
              HasSubstr("above 2^64"));
}

TEST(Matcher, OfMapsOfDistancesTheInnermostCounts) {
  const auto found_by = [](const std::string& value) {
    Matcher matcher(false);
    matcher.add("K", *parse_json(R"([[{"ORTH": )" + value + "}]]"));
    return found(matcher, words({"well", "hello", "there"}));
  };
  EXPECT_THAT(found_by(R"({"FUZZY": {"FUZZY1": "hellp"}})"), ElementsAre("K 1 2"));
  EXPECT_THAT(found_by(R"({"FUZZY1": {"FUZZY9": {"FUZZY2": {"IN": ["hexxo"]}}}})"),
              ElementsAre("K 1 2"));
  EXPECT_THAT(found_by(R"({"FUZZY": {"REGEX": {"IN": ["^h"]}}})"), ElementsAre("K 1 2"));
  EXPECT_THAT(found_by(R"({"FUZZY": {"IS_SUBSET": ["hello"]}})"), ElementsAre("K 1 2"));
  EXPECT_THAT(found_by(R"({"FUZZY": {"FOO": 1}})"), ElementsAre("K 0 1", "K 1 2", "K 2 3"));
}

TEST(Matcher, ListsBelowExpressionsAndDistancesHoldTogether) {
  Matcher matcher;
  matcher.add("R",
              *parse_json(R"([[{"LOWER": {"REGEX": {"IN": ["^c", "x"], "NOT_IN": ["s$"]}}}]])"));
  matcher.add("F", *parse_json(R"([[{"LOWER": {"FUZZY1": {"NOT_IN": ["cat"]}}}]])"));
  EXPECT_THAT(found(matcher, words({"cat", "cats", "dog"})), ElementsAre("R 0 1", "F 2 3"));
  EXPECT_THAT(error_of(R"([[{"LOWER": {"REGEX": {"IS_SUBSET": ["a"]}}}]])"),
              HasSubstr("IN, NOT_IN or REGEX"));
}

TEST(Matcher, AKeyThatIsThereTwiceOrANegativeNumberIsRefused) {
  EXPECT_THAT(error_of(R"([[{"LOWER": "a", "lower": "b"}]])"), HasSubstr("lower: is there twice"));
  EXPECT_THAT(error_of(R"([[{"LENGTH": -1}]])", false), HasSubstr("negative"));
}

TEST(Matcher, ReportsAllFaultsAtOnceAndAddsNothing) {
  Matcher matcher;
  try {
    matcher.add("K", *parse_json(R"([[{"LOWER": 1, "IS_ALPHA": "yes"}], [{"LENGTH": "3"}]])"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("LOWER"), HasSubstr("IS_ALPHA"), HasSubstr("LENGTH")));
  }
  EXPECT_EQ(matcher.size(), 0U);
}

// Each of the ways to spread 64 words over 30 stars would be a state of its own without the bound.
TEST(Matcher, TakesNoTimeByPowersOfThePatternsLength) {
  std::string stars;
  for (int i = 0; i < 30; ++i) stars += R"({"LOWER": "a", "OP": "*"}, )";
  Matcher matcher;
  matcher.add("K", *parse_json("[[" + stars + R"({"LOWER": "b"}]])"));
  const std::vector<std::string> many(64, "a");
  EXPECT_TRUE(found(matcher, words(many)).empty());
}

// Each item that is left out leads to the next one, which the match before it came to as well.
TEST(Matcher, ARowOfOptionalTokensTakesTimeByItsLength) {
  Matcher matcher;
  matcher.add("K", *parse_json(R"([[{"OP": "{2,4}"}, {"OP": "{,3999}"}]])"));
  constexpr std::size_t length = 50;
  // All spans of two words or more.
  EXPECT_EQ(matcher.find(words(std::vector<std::string>(length, "a"))).size(),
            length * (length - 1) / 2);
}

// By the square of a document's length, in matches or in places under way.
TEST(Matcher, GivesUpOnADocumentThatTakesTooLong) {
  std::string optional;
  for (int i = 0; i < 200; ++i) optional += R"({"OP": "?"}, )";
  std::string stars;
  for (int i = 0; i < 60; ++i) stars += R"({"OP": "*"}, )";
  for (const std::string& pattern :
       {R"([[{"OP": "+"}]])" + std::string(), "[[" + optional + R"({"LOWER": "b"}]])",
        "[[" + stars + R"({"LOWER": "b"}]])"}) {
    Matcher matcher;
    matcher.add("K", *parse_json(pattern));
    try {
      matcher.find(words(std::vector<std::string>(5'000, "a")));
      ADD_FAILURE() << pattern.substr(0, 40);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_THAT(error.what(), HasSubstr("the patterns of \"K\" give up on a document of 5000"));
    }
    EXPECT_NO_THROW(matcher.find(words(std::vector<std::string>(20, "a"))));
  }
}

// Its matches grow with the number of patterns, and all of them are kept at the same time.
TEST(Matcher, GivesUpOnADocumentOfTooManyMatches) {
  Matcher matcher;
  const Node pattern = *parse_json(R"([[{"LOWER": "a"}]])");
  for (int key = 0; key < 4'200; ++key) matcher.add(std::to_string(key), pattern);
  EXPECT_EQ(matcher.find(words(std::vector<std::string>(10, "a"))).size(), 42'000U);
  try {
    matcher.find(words(std::vector<std::string>(1'000, "a")));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("give up on a document of 1000"));
    EXPECT_THAT(error.what(), HasSubstr("find 4194304 matches"));
  }
}

TEST(Matcher, AsksForAnnotationThatPatternsCompare) {
  Matcher matcher;
  matcher.add("K", *parse_json(R"([[{"POS": "NOUN"}]])"));
  const Doc doc = words({"a"});
  EXPECT_THROW(matcher.find(doc), Error);
  EXPECT_TRUE(matcher.find(doc, {.allow_missing = true}).empty());
}

TEST(Matcher, PatternsThatAreAddedAfterASearchAreFound) {
  Matcher matcher;
  matcher.add("L", *parse_json(R"([[{"LENGTH": 1}]])"));
  const Doc doc = words({"a", "bb"});
  EXPECT_THAT(found(matcher, doc), ElementsAre("L 0 1"));
  matcher.add("M", *parse_json(R"([[{"LENGTH": {">": 1}}], [{"TEXT": {"REGEX": "b"}}]])"));
  EXPECT_THAT(found(matcher, doc), ElementsAre("L 0 1", "M 1 2"));
}

// Comparing takes time by both lengths, which steps of items do not count.
TEST(Matcher, FuzzyTextsHaveALimitOfSteps) {
  const auto long_text = [](std::size_t length, const char* end) {
    std::string text;
    while (text.size() < length) text += "abcd";
    return text + end;
  };
  const auto matcher_of = [](const std::string& text) {
    Matcher matcher;
    matcher.add("F", *parse_json("[[{\"ORTH\": {\"FUZZY\": \"" + text + "\"}}]]"));
    return matcher;
  };
  EXPECT_THAT(found(matcher_of(long_text(5000, "x0")), words({long_text(5000, "y1")})),
              ElementsAre("F 0 1"));
  const Matcher far = matcher_of(long_text(200000, "x0"));
  EXPECT_THROW(far.find(words({long_text(200000, "y1")})), Error);
}

TEST(Matcher, ADistanceIsADigitFromOneOn) {
  Matcher matcher(false);
  matcher.add("K", *parse_json(R"([[{"ORTH": {"FUZZY0": "hello"}}]])"));
  EXPECT_THAT(matcher.warnings(), ElementsAre(HasSubstr("FUZZY0 is no predicate")));
  EXPECT_THAT(error_of(R"([[{"ORTH": {"FUZZY0": "hello"}}]])"), HasSubstr("FUZZY0"));
}

TEST(Matcher, FeaturesNearToAListAreComparedInTheirOrder) {
  Doc doc = words({"a"});
  doc.set_column(Attr::morph, {doc.vocab()->strings().add("Case=Nom|Number=Sing")});
  Matcher matcher;
  matcher.add("K", *parse_json(R"([[{"MORPH": {"FUZZY1": {"IN": ["Number=Sing|Case=Nom"]}}}]])"));
  EXPECT_THAT(found(matcher, doc), ElementsAre("K 0 1"));
}

TEST(Matcher, AlignmentsNameTheTokenOfThePatternThatTookEach) {
  Matcher matcher;
  matcher.add("K", *parse_json(R"([[{"ORTH": "a"}, {"ORTH": "b", "OP": "*"}, {"ORTH": "c"},
                                    {"ORTH": "d", "OP": "?"}]])"));
  const auto alignments = [&](const std::vector<std::string>& texts) {
    std::vector<std::vector<std::uint32_t>> all;
    for (TokenMatch& match : matcher.find(words(texts), {.with_alignments = true})) {
      all.push_back(std::move(match.alignment));
    }
    return all;
  };
  EXPECT_THAT(alignments({"a", "c"}), ElementsAre(ElementsAre(0u, 2u)));
  EXPECT_THAT(alignments({"a", "b", "b", "c"}), ElementsAre(ElementsAre(0u, 1u, 1u, 2u)));
  EXPECT_THAT(alignments({"a", "c", "d"}),
              ElementsAre(ElementsAre(0u, 2u), ElementsAre(0u, 2u, 3u)));
}

}  // namespace
}  // namespace weft
