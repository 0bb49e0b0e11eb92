#include "framework/pipeline/string_list.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"

namespace weft {
namespace {

using testing::ElementsAre;

TEST(StringList, ReadsStringsAndEscapes) {
  EXPECT_THAT(*read_string_list("[]"), ElementsAre());
  EXPECT_THAT(*read_string_list(" [ \"a\" ,\n\"\", \"Größe\"\t]\r\n"),
              ElementsAre("a", "", "Größe"));
  EXPECT_THAT(*read_string_list(R"(["\"\\\/\b\f\n\r\t", "\u00e4\u20AC", "x\ud83d\ude00y"])"),
              ElementsAre("\"\\/\b\f\n\r\t", "ä€", "x😀y"));
  EXPECT_THAT(*read_string_list(R"(["\uDBFF\uDFFF\u0041"])"), ElementsAre("\U0010FFFF"
                                                                          "A"));
}

TEST(StringList, AgreesWithTheReaderOfJson) {
  for (const char* json : {R"(["a", "b\u00e9", "\ud83d\ude00", "\\u0041"])", R"([ "" ])"}) {
    const auto texts = read_string_list(json);
    const auto tree = parse_json(json);
    ASSERT_TRUE(texts && tree) << json;
    ASSERT_EQ(texts->size(), tree->as_list().size());
    for (std::size_t i = 0; i < texts->size(); ++i) {
      EXPECT_EQ((*texts)[i], tree->as_list()[i].as_string());
    }
  }
}

TEST(StringList, LeavesEverythingElseToTheReaderOfJson) {
  for (const char* json : {"",
                           "[",
                           "]",
                           "[\"a\"",
                           "[\"a\",]",
                           "[,]",
                           "[\"a\" \"b\"]",
                           "[\"a\"] x",
                           "{\"a\": 1}",
                           "[1]",
                           "[\"a\", null]",
                           "[\"a]",
                           "\"a\"",
                           "[\"\n\"]",
                           "[\"\\x41\"]",
                           "[\"\\u12\"]",
                           "[\"\\u12G4\"]",
                           "[\"\\ud83d\"]",
                           "[\"\\ud83dx\"]",
                           "[\"\\ud83d\\u0041\"]",
                           "[\"\\ude00\"]",
                           "[\"\\",
                           "[\"\xff\"]",
                           "[['a']]",
                           "\xEF\xBB\xBF[]"}) {
    EXPECT_FALSE(read_string_list(json)) << json;
    EXPECT_FALSE(is_string_list(json)) << json;
  }
}

// Eight bytes are looked at together: the mark that ends a string stands in each of their places.
TEST(StringList, FindsTheEndOfAStringAnywhere) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string plain(length, 'x');
    const auto list_of = [](const std::string& text) { return "[\"" + text + "\"]"; };
    EXPECT_THAT(*read_string_list(list_of(plain)), ElementsAre(plain));
    EXPECT_TRUE(is_string_list(list_of(plain)));
    EXPECT_THAT(*read_string_list(list_of(plain + "\\n!" + plain)),
                ElementsAre(plain + "\n!" + plain));
    EXPECT_THAT(*read_string_list(list_of(plain + "\x7f\u00fc \x20" + plain)),
                ElementsAre(plain + "\x7f\u00fc \x20" + plain));
    for (const char wrong : {'\0', '\x01', '\n', '\x1f'}) {
      EXPECT_FALSE(is_string_list(list_of(plain + wrong + plain))) << length;
      EXPECT_FALSE(read_string_list(list_of(plain + wrong + plain))) << length;
    }
    EXPECT_FALSE(is_string_list("[\"" + plain)) << length;
    EXPECT_FALSE(is_string_list("[\"" + plain + "\"" + plain + "\"]")) << length;
  }
}

TEST(StringList, IsToldWithoutMakingTheStrings) {
  EXPECT_TRUE(is_string_list("[]"));
  EXPECT_TRUE(is_string_list("[\n  \"a\",\n  \"\\u00e4\\ud83d\\ude00\"\n]"));
  EXPECT_FALSE(is_string_list("[\"a\", 1]"));
}

}  // namespace
}  // namespace weft
