#include "framework/text/plain_word.h"

#include <string>

#include <gtest/gtest.h>

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

TEST(PlainWord, IsWhatTheGeneralFunctionsSay) {
  for (const std::string word :
       {"a", "A", "the", "The", "THE", "tHe", "McDonald", "iPhone", "aB", "Ab", "AB", "zZz",
        "ABCDEFGH", "abcdefghijkl", "AaAaAaAaaaaaaaAAAAAA"}) {
    const auto plain = plain_word_of(word);
    ASSERT_TRUE(plain) << word;
    EXPECT_EQ(plain->lower, lower(word));
    EXPECT_EQ(plain->lower, base_norm_of(word));
    EXPECT_EQ(plain->shape, shape_of(word)) << word;
    EXPECT_EQ(plain->flags, flags_of(word)) << word;
  }
}

TEST(PlainWord, LeavesOtherWordsAlone) {
  for (const std::string word : {"", "x1", "don't", "e-mail", "Größe", "a b", "@", "[", "`", "{"}) {
    EXPECT_FALSE(plain_word_of(word)) << word;
  }
  EXPECT_TRUE(plain_word_of(std::string(99, 'x')));
  EXPECT_EQ(shape_of(std::string(99, 'x')), plain_word_of(std::string(99, 'x'))->shape);
  EXPECT_FALSE(plain_word_of(std::string(100, 'x'))) << "its shape is LONG";
}

}  // namespace
}  // namespace weft
