#include "framework/text/code_point_index.h"

#include <string>

#include <gtest/gtest.h>

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

TEST(CodePointIndex, SaysTheSameAsCountingFromTheStart) {
  std::string mixed;
  for (int i = 0; i < 400; ++i) mixed += i % 3 == 0 ? "é" : i % 5 == 0 ? "😀" : "a";
  for (const std::string& text :
       {std::string(), std::string("a"), std::string(256, 'x'), std::string(257, 'x'), mixed}) {
    const CodePointIndex index(text);
    for (std::size_t i = 0; i < 1030; ++i) {
      EXPECT_EQ(index.byte(i), byte_offset(text, i)) << i << " of " << text.size();
    }
  }
}

}  // namespace
}  // namespace weft
