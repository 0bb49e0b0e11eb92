#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/registry/reading.h"

namespace weft {
namespace {

std::string json_of(std::string_view raw) {
  return to_json(value_of(raw));
}

TEST(RawValueTest, SimpleValuesReadLikeAllOthers) {
  EXPECT_EQ(json_of("0"), "0");
  EXPECT_EQ(json_of("-0"), "0");
  EXPECT_EQ(json_of("-12"), "-12");
  EXPECT_EQ(json_of("12"), "12");
  EXPECT_EQ(json_of("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(json_of("9223372036854775808"), "9223372036854775808");
  EXPECT_EQ(json_of("012"), "\"012\"");
  EXPECT_EQ(json_of("12.0"), "12.0");
  EXPECT_EQ(json_of("\"a b\""), "\"a b\"");
  EXPECT_EQ(json_of("\"\""), "\"\"");
  EXPECT_EQ(json_of("\""), "\"\\\"\"");
  EXPECT_EQ(json_of("\"a\\\"b\""), "\"a\\\"b\"");
  EXPECT_EQ(json_of("\"a\" \"b\""), to_json(Node("\"a\" \"b\"")));
}

TEST(RawValueTest, AValueMayStartOnTheNextLine) {
  EXPECT_EQ(json_of("\n  [1,\n  2]"), "[1, 2]");
  EXPECT_EQ(json_of("\n  word"), "\"\\nword\"");
}

TEST(RawValueTest, PythonsWordsCountOnlyAlone) {
  EXPECT_EQ(json_of("True"), "true");
  EXPECT_EQ(json_of("None"), "null");
  EXPECT_EQ(json_of("[True]"), "\"[True]\"");
}

}  // namespace
}  // namespace weft
