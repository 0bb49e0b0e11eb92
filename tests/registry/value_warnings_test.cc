#include "registry/reading/value_warnings.h"

#include <gmock/gmock.h>

#include "tests/registry/reading.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string warning_of(std::string_view raw) {
  const Reading reading = read("[a]\nx = " + std::string(raw) + "\n");
  EXPECT_FALSE(has_errors(reading.problems)) << raw;
  return reading.problems.empty() ? "" : reading.problems[0].str();
}

TEST(ValueWarningsTest, CommentsBehindValues) {
  EXPECT_EQ(warning_of("1 # note"),
            "x.cfg:2:5  [a] x: 1 # note is taken as text: a comment needs a line of its own");
  for (const char* raw : {"\"a\" ; b", "[1, 2] # c", "true\t# d", "adam # best", "null ;e"}) {
    EXPECT_THAT(warning_of(raw), HasSubstr("comment")) << raw;
  }
}

TEST(ValueWarningsTest, Commas) {
  EXPECT_THAT(warning_of("1,"), HasSubstr("remove the comma at the end"));
  EXPECT_THAT(warning_of("\"x\","), HasSubstr("remove the comma at the end"));
  EXPECT_THAT(warning_of("[1, 2,]"), HasSubstr("remove the comma before the closing bracket"));
  EXPECT_THAT(warning_of("{\"a\": 1,\n  }"), HasSubstr("remove the comma before"));
}

TEST(ValueWarningsTest, Quotes) {
  EXPECT_THAT(warning_of("'x'"), HasSubstr("single quotes"));
  EXPECT_THAT(warning_of("['x']"), HasSubstr("double quotes"));
  EXPECT_THAT(warning_of("\"C:\\data\""), HasSubstr("`\\d` is no escape"));
  EXPECT_THAT(warning_of("\"C:\\new\""), HasSubstr("double each backslash"));
  EXPECT_THAT(warning_of("\"open"), HasSubstr("closing quote is missing"));
  EXPECT_THAT(warning_of("\"a\" b"), HasSubstr("text behind the closing quote"));
  EXPECT_THAT(warning_of("\"two\n  lines\""), HasSubstr("line breaks"));
}

TEST(ValueWarningsTest, NumbersInOtherNotations) {
  for (const char* raw : {".5", "5.", "+1", "007", "1_000", "0x1F", "-.5e3", "1.e5"}) {
    EXPECT_THAT(warning_of(raw), HasSubstr("numbers are written like")) << raw;
  }
  for (const char* raw : {"TRUE", "Null", "NONE", "nan"}) {
    EXPECT_THAT(warning_of(raw), HasSubstr("is taken as text")) << raw;
  }
}

TEST(ValueWarningsTest, PlainWordsAndPathsGiveNone) {
  for (const char* raw : {"hello",
                          "two words",
                          "corpus/train.spacy",
                          "./x",
                          "../x.spacy",
                          "C:\\data\\x",
                          "/abs/path",
                          "spacy.Adam.v1",
                          "en_core_web_sm",
                          "3.8.1",
                          "2024-01-01",
                          "10k",
                          "1e",
                          "a#b",
                          "#hash",
                          "it's",
                          "a, b",
                          "https://x.y/z?q=1;r",
                          "-",
                          "e5",
                          "_",
                          "...",
                          "5:3",
                          "None of it",
                          "yes",
                          "ok; fine then",
                          "1-2"}) {
    EXPECT_EQ(warning_of(raw), "") << raw;
  }
  for (const char* raw :
       {"1", "\"a # b\"", "[\"a, b\", \"'\"]", "\"C:\\\\data\"", "{\"a\": [1]}"}) {
    EXPECT_EQ(warning_of(raw), "") << raw;
  }
}

TEST(ValueWarningsTest, VariablesDoNotWarnThemselves) {
  EXPECT_THAT(read("[b]\nc = 1\n[a]\nx = [${b.c}, 2]\ny = \"${b.c}/x\"\nz = ${b.c}.5\n").problems,
              IsEmpty());
  EXPECT_TRUE(read("[b]\nc = 1\n[a]\nx = ${b.c} # note\n").has(ProblemKind::became_string));
}

TEST(ValueWarningsTest, SingleQuotesWarnInBothModes) {
  const char* text = "[a]\nx = 'y'\n";
  EXPECT_TRUE(read(text).has(ProblemKind::single_quoted));
  EXPECT_FALSE(read_kept(text).has(ProblemKind::single_quoted));
  EXPECT_TRUE(read_kept(text).has(ProblemKind::became_string));
}

TEST(ValueWarningsTest, LongValuesAreShortenedBetweenCodePoints) {
  const std::string raw = "\"" + std::string(38, 'x') + "éé";
  EXPECT_THAT(warning_of(raw), HasSubstr("\"" + std::string(38, 'x') + " is taken as text"));
}

}  // namespace
}  // namespace weft
