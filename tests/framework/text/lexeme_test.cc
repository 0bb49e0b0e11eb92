#include "framework/text/lexeme.h"

#include <string>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Lexeme, Shapes) {
  EXPECT_EQ(shape_of("Apple"), "Xxxxx");
  EXPECT_EQ(shape_of("AAAAAAbbbbbb"), "XXXXxxxx");
  EXPECT_EQ(shape_of("iPhone6s"), "xXxxxxdx");
  EXPECT_EQ(shape_of("日本語"), "xxx");
  EXPECT_EQ(shape_of("2017-12-25"), "dddd-dd-dd");
  EXPECT_EQ(shape_of("²"), "d");
  EXPECT_EQ(shape_of("½"), "½");
  EXPECT_EQ(shape_of("don't"), "xxx'x");
  EXPECT_EQ(shape_of("ǅ"), "x") << "title case is not upper case";
  EXPECT_EQ(shape_of("😀😀😀😀😀😀"), "😀😀😀😀");
  EXPECT_EQ(shape_of(std::string(99, 'a')), "xxxx");
  EXPECT_EQ(shape_of(std::string(100, 'a')), "LONG");
  std::string umlauts;
  for (int i = 0; i < 99; ++i) umlauts += "ü";
  EXPECT_EQ(shape_of(umlauts), "xxxx") << "counted in characters";
  EXPECT_EQ(shape_of(umlauts + "ü"), "LONG");
}

TEST(Lexeme, PrefixAndSuffixAreCodePoints) {
  EXPECT_EQ(prefix_of("über"), "ü");
  EXPECT_EQ(suffix_of("Straße"), "aße");
  EXPECT_EQ(suffix_of("日本"), "日本");
  EXPECT_EQ(suffix_of("a\u0301bc"), "\u0301bc");
}

TEST(Lexeme, BaseNorms) {
  EXPECT_EQ(base_norm_of("€"), "$");
  EXPECT_EQ(base_norm_of("Mex$"), "$");
  EXPECT_EQ(base_norm_of("’S"), "'s");
  EXPECT_EQ(base_norm_of("``"), "\"");
  EXPECT_EQ(base_norm_of("——"), "-");
  EXPECT_EQ(base_norm_of("…"), "...");
  EXPECT_EQ(base_norm_of("Hello"), "hello");
  EXPECT_EQ(base_norm_of("İ"), "i\u0307");
}

struct Flags {
  const char* word;
  std::initializer_list<Attr> set;
};

// The attributes that spaCy 3.8 gives these words in a blank pipeline of language "xx".
TEST(Lexeme, FlagsAreThoseOfSpacy) {
  using enum Attr;
  const Flags cases[] = {
      {"apple", {is_alpha, is_ascii, is_lower}},
      {"Apple", {is_alpha, is_ascii, is_title}},
      {"APPLE", {is_alpha, is_ascii, is_upper}},
      {"iPhone", {is_alpha, is_ascii}},
      {"Über", {is_alpha, is_title}},
      {"They'Re", {is_ascii, is_title}},
      {"ǅ", {is_alpha, is_title}},
      {"ª", {is_alpha, is_lower}},
      {"Ⅷ", {is_upper, is_title}},
      {"10", {is_ascii, is_digit, like_num}},
      {"²", {is_digit, like_num}},
      {"½", {}},
      {"-1,000.5", {is_ascii, like_num}},
      {"±3/4", {like_num}},
      {"1/2/3", {is_ascii}},
      {"...", {is_ascii, is_punct}},
      {"(", {is_ascii, is_punct, is_bracket, is_left_punct}},
      {"<", {is_ascii, is_bracket, is_left_punct}},
      {"''", {is_ascii, is_punct, is_quote, is_right_punct}},
      {"»", {is_punct, is_quote, is_right_punct}},
      {"$", {is_ascii, is_currency}},
      {"€€", {is_currency}},
      {" \n", {is_ascii, is_space}},
      {"a@b.de", {is_ascii, is_lower, like_email}},
      {"a@b", {is_ascii, is_lower}},
      {"http://x", {is_ascii, is_lower, like_url}},
      {"www.x", {is_ascii, is_lower, like_url}},
      {"example.com", {is_ascii, is_lower, like_url}},
      {"sub.example.org:8080/a?b", {is_ascii, is_lower, like_url}},
      {"münchen.de", {is_lower, like_url}},
      {"(.de", {is_ascii, is_lower, like_url}},
      {"(.zz", {is_ascii, is_lower}},
      {"ab://c.zz", {is_ascii, is_lower, like_url}},
      {"c.zz/d://e", {is_ascii, is_lower, like_url}},
      {"h'llhttp://foo.bar/(baz", {is_ascii, is_lower}},
      {"a\U00020000.zz", {is_lower}},
      {"x.mºuseum", {is_lower}},           // a small letter that is a sign
      {"x.日本。", {is_lower, like_url}},  // signs of scripts without case
      {"ⅷx://c.zz", {is_lower, like_url}},
      {"c.zz:٨٠", {is_lower, like_url}},
      {"c.zz:8²", {is_lower}},
      {"e.g.", {is_ascii, is_lower}},
      {"U.S", {is_ascii, is_upper, is_title}},
      {".com", {is_ascii, is_lower}},
  };
  for (const Flags& expected : cases) {
    LexemeFlags wanted = 0;
    for (const Attr attr : expected.set) wanted |= flag_bit(attr);
    EXPECT_EQ(flags_of(expected.word), wanted) << expected.word;
  }
}

// As spaCy's pattern has it: digits of any script where any digit may stand.
TEST(Lexeme, AddressesOfMachinesReadLikeAddressesOfPages) {
  for (const char* word :
       {"8.8.8.8", "1.01.2.3", "1.٢.٣.4", "1.2.3.2٤", "223.255.255.254", "1.20٩.1.1", "172.3٠.1.1",
        "172.32.1.1", "1٠.1.1.1", "1.2.3.4:8٠", "8.8.8.8\n", "c.zz/d\n", "100.1.1.1"}) {
    EXPECT_TRUE(flags_of(word) & flag_bit(Attr::like_url)) << word;
  }
  for (const char* word :
       {"1.001.2.3", "1.2.3.001", "1.2.3.٤", "٤.2.3.4", "1.2.3.٢4", "224.1.1.1", "1.256.1.1",
        "1.2٥5.1.1", "1.25٥.1.1", "172.2٣.1.1", "172.30.1.1", "10.1.1.1", "1.2.3.255", "c.zz\n\n",
        "1.100.000.1", "22٣.1.1.1", "2٢2.1.1.1", "1.1.1.1.1"}) {
    EXPECT_FALSE(flags_of(word) & flag_bit(Attr::like_url)) << word;
  }
}

}  // namespace
}  // namespace weft
