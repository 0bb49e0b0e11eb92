#include "framework/io/input_buffer.h"

#include <istream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

TEST(InputBuffer, HasTheBytesOfTheFile) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + "\xff\n";
  InputBuffer buffer(file_with("a", text));
  std::istream stream(&buffer);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), text);
}

}  // namespace
}  // namespace weft
