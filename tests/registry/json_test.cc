#include "registry/value/json.h"

#include <cmath>

#include <gtest/gtest.h>

#include "registry/value/json_limits.h"

namespace weft {
namespace {

std::string again(std::string_view text) {
  const auto node = parse_json(text);
  return node ? to_json(*node) : "invalid";
}

TEST(JsonTest, KeepsIntegersAndFloatsApart) {
  EXPECT_EQ(again("[1, 1.0, 1e3, -0, -0.0, 12E-1]"), "[1, 1.0, 1000.0, 0, -0.0, 1.2]");
}

TEST(JsonTest, IntegersHaveAnySize) {
  EXPECT_EQ(again("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(again("9223372036854775808"), "9223372036854775808");
  EXPECT_EQ(again("-9223372036854775809"), "-9223372036854775809");
  EXPECT_TRUE(std::holds_alternative<BigInteger>(parse_json("18446744073709551616")->value()));
  const std::string long_number(5000, '7');
  EXPECT_EQ(again("[1, " + long_number + ", 2]"), "[1, " + long_number + ", 2]");
}

TEST(JsonTest, SpecialFloats) {
  EXPECT_EQ(again("[NaN, 1, Infinity, -Infinity, 2, 1e999, -1e999, 3]"),
            "[NaN, 1, Infinity, -Infinity, 2, Infinity, -Infinity, 3]");
  EXPECT_EQ(again("1e-999"), "0.0");
  EXPECT_EQ(again("\"NaN\""), "\"NaN\"");
  for (const char* bad : {"-NaN", "NaN1", "1NaN", "NaN.5", "NaNe5", "Nan", "+Infinity",
                          "--Infinity", "1e9999x", "01e999", "[1e999 2]"}) {
    EXPECT_EQ(again(bad), "invalid") << bad;
  }
}

TEST(JsonTest, LastOfRepeatedKeysWinsAtTheFirstPlace) {
  EXPECT_EQ(again(R"({"a": 1, "b": 2, "a": 3})"), R"({"a": 3, "b": 2})");
}

TEST(JsonTest, RepeatedKeysOfRecordsAreRefused) {
  std::optional<std::string> repeated;
  EXPECT_TRUE(parse_json(R"({"a": {"b": 1}, "b": [{"a": 1}, {"a": 2}]})", repeated));
  EXPECT_FALSE(repeated);
  EXPECT_FALSE(parse_json(R"({"x": [{"a": 1, "b": 2, "a": {}}]})", repeated));
  EXPECT_EQ(repeated, "a");
  EXPECT_FALSE(parse_json("{", repeated));
  EXPECT_FALSE(repeated);
}

TEST(JsonTest, RefusesWhatPythonRefuses) {
  for (const char* bad : {"",
                          " ",
                          "+1",
                          ".5",
                          "5.",
                          "007",
                          "1_000",
                          "0x1F",
                          "[1,]",
                          "{\"a\":1,}",
                          "{a: 1}",
                          "'x'",
                          "[1] 2",
                          "\"a\tb\"",
                          "\"a\nb\"",
                          "\"\\x41\"",
                          "tru",
                          "True",
                          "nan",
                          "\"open",
                          "[1, 2",
                          "// 1",
                          "\xEF\xBB\xBF"
                          "1"}) {
    EXPECT_EQ(again(bad), "invalid") << bad;
  }
}

TEST(JsonTest, NulBytesDoNotEndTheDocument) {
  EXPECT_FALSE(parse_json(std::string_view("1\0", 2)));
  EXPECT_FALSE(parse_json(std::string_view("\"a\0b\"", 5)));
  EXPECT_FALSE(parse_json(std::string_view("[1]\0]", 5)));
}

TEST(JsonTest, DeepNestingIsInvalidAndDoesNotRecurse) {
  const std::string deep = std::string(512, '[') + std::string(512, ']');
  EXPECT_TRUE(parse_json(deep));
  EXPECT_FALSE(parse_json("[" + deep + "]"));
  EXPECT_FALSE(parse_json(std::string(10'000'000, '[')));
}

TEST(JsonTest, WritesAsciiOrUtf8) {
  const Node node("é\u2028😀\x7f\"\\\n\x01");
  EXPECT_EQ(to_json(node), R"("\u00e9\u2028\ud83d\ude00\u007f\"\\\n\u0001")");
  EXPECT_EQ(to_json(Node("é"), JsonText::utf8), "\"é\"");
  // Characters that would steer a terminal are escaped in both.
  EXPECT_EQ(to_json(Node("a\x1b[0m\u009b\u202e\u2066b\u200f"), JsonText::utf8),
            "\"a\\u001b[0m\\u009b\\u202e\\u2066b\\u200f\"");
  EXPECT_EQ(to_json(Node("\xff")), "\"\\ufffd\"");
  EXPECT_EQ(parse_json(to_json(node))->as_string(), node.as_string());
}

TEST(JsonTest, StandardJsonHasNoWordsForWhatIsNoNumber) {
  const Node value = *parse_json("{\"a\": [NaN, -Infinity, 1.5, 9223372036854775808]}");
  EXPECT_EQ(to_standard_json(value), "{\"a\": [null, null, 1.5, 9223372036854775808]}");
  EXPECT_EQ(to_standard_json(Node("NaN\xff")), "\"NaN\\ufffd\"");
}

TEST(JsonTest, FloatsReadBack) {
  EXPECT_EQ(to_json(Node(1e16)), "1e+16");
  EXPECT_EQ(to_json(Node(1e15)), "1000000000000000.0");
  EXPECT_EQ(to_json(Node(0.0001)), "0.0001");
  EXPECT_EQ(to_json(Node(0.00001)), "1e-05");
  EXPECT_EQ(to_json(Node(1.5e-8)), "1.5e-08");
  EXPECT_EQ(to_json(Node(123456.75)), "123456.75");
  EXPECT_EQ(to_json(Node(5e-324)), "5e-324");
  EXPECT_EQ(to_json(Node(1.7976931348623157e308)), "1.7976931348623157e+308");
  EXPECT_EQ(to_json(Node(0.1)), "0.1");
}

}  // namespace
}  // namespace weft
