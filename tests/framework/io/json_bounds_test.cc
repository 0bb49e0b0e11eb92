#include "framework/io/json_bounds.h"

#include <string>

#include <gtest/gtest.h>

#include "registry/value/json_limits.h"

namespace weft {
namespace {

std::string list_of(std::size_t values, const std::string& value) {
  std::string text = "[" + value;
  for (std::size_t i = 1; i < values; ++i) text += "," + value;
  return text + "]";
}

TEST(JsonBounds, CountsValuesOutsideOfTexts) {
  const std::size_t most = kMostJsonValues - 2;  // beside the list
  EXPECT_EQ(beyond_json_bounds(list_of(most, "1")), nullptr);
  EXPECT_NE(beyond_json_bounds(list_of(most + 2, "1")), nullptr);
  EXPECT_EQ(beyond_json_bounds(list_of(most / 2, "\",[{\\\",\"")), nullptr);
  EXPECT_EQ(beyond_json_bounds("\"" + std::string(3 * most, ',') + "\""), nullptr);
  EXPECT_NE(beyond_json_bounds("\"\\\\\"" + std::string(3 * most, ',')), nullptr);
}

TEST(JsonBounds, MeasuresDepth) {
  const std::string blank(100000, ' ');
  const auto nested = [&](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']') + blank;
  };
  EXPECT_EQ(beyond_json_bounds(nested(512) + nested(512)), nullptr);
  EXPECT_NE(beyond_json_bounds(nested(513)), nullptr);
  EXPECT_EQ(beyond_json_bounds("]]]]" + nested(512)), nullptr) << "no JSON is somebody else's";
  EXPECT_EQ(beyond_json_bounds(std::string(1000, '[')), nullptr) << "small texts are not looked at";
  EXPECT_EQ(beyond_json_bounds("\"" + blank), nullptr) << "a text without its end";
}

}  // namespace
}  // namespace weft
