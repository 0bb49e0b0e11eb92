#include "framework/unicode/code_points.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(CodePoints, CountsCharactersAndNotBytes) {
  EXPECT_EQ(code_points_of("a\xC3\xA4\xF0\x9F\x98\x80"), U"a\u00E4\U0001F600");
  EXPECT_TRUE(code_points_of("").empty());
}

TEST(CodePoints, GoesBothWays) {
  const std::string text = "na\xC3\xAFve \xF0\x9F\x98\x80";
  EXPECT_EQ(utf8_of(code_points_of(text)), text);
}

}  // namespace
}  // namespace weft
