#include "framework/unicode/unicode.h"

#include <functional>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "tests/folders.h"

namespace weft {
namespace {

std::string gunzipped(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  std::string text;
  std::string chunk(1 << 16, '\0');
  for (int read = 0; (read = gzread(file, chunk.data(), chunk.size())) > 0;) {
    text.append(chunk, 0, read);
  }
  gzclose(file);
  return text;
}

const nlohmann::json& tables() {
  static const nlohmann::json tables = nlohmann::json::parse(
      gunzipped(source_path("tests/conformance/data/tokenizer/unicode14.json.gz")));
  return tables;
}

void for_each_code_point(const std::function<void(char32_t)>& visit) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c < 0xD800 || c > 0xDFFF) visit(c);
  }
}

std::set<char32_t> set_of(const char* name) {
  std::set<char32_t> set;
  for (const auto& range : tables().at(name)) {
    for (char32_t c = range[0]; c <= range[1].get<char32_t>(); ++c) set.insert(c);
  }
  return set;
}

void expect_same(const char* name, const std::function<bool(char32_t)>& test) {
  const std::set<char32_t> expected = set_of(name);
  ASSERT_FALSE(expected.empty());
  int wrong = 0;
  for_each_code_point([&](char32_t c) {
    if (test(c) == expected.contains(c) || ++wrong > 10) return;
    ADD_FAILURE() << name << " of U+" << std::hex << static_cast<unsigned>(c);
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Unicode, ClassesAreThoseOfUnicode14) {
  expect_same("isspace", [](char32_t c) { return is_space(c); });
  expect_same("isalpha", is_alpha);
  expect_same("isdigit", is_digit);
  expect_same("isupper", is_upper);
  expect_same("case_ignorable", is_case_ignorable);
  expect_same("cased_not_ignorable", [](char32_t c) {
    return !is_case_ignorable(c) && (is_upper(c) || is_lower(c) || is_title(c));
  });
}

TEST(Unicode, LowerCaseOfEveryCodePoint) {
  const nlohmann::json& map = tables().at("lower_map");
  for_each_code_point([&](char32_t c) {
    char name[16];
    std::snprintf(name, sizeof name, "%x", static_cast<unsigned>(c));
    std::string text;
    append_utf8(text, c);
    const auto found = map.find(name);
    const std::string expected = found == map.end() ? text : found->get<std::string>();
    EXPECT_EQ(lower(text), expected) << name;
  });
}

TEST(Unicode, SigmaIsFinalOnlyAtTheEndOfAWord) {
  EXPECT_EQ(lower("ΟΔΟΣ"), "οδος");
  EXPECT_EQ(lower("ΟΔΟΣ."), "οδος.");
  EXPECT_EQ(lower("ΟΔΟΣ ΟΔΟΣ"), "οδος οδος");
  EXPECT_EQ(lower("ΣΑ"), "σα");
  EXPECT_EQ(lower("Σ"), "σ");
  EXPECT_EQ(lower("Α'Σ"), "α'ς");
  EXPECT_EQ(lower("ΑΣ'Α"), "ασ'α");
  EXPECT_EQ(lower("1Σ"), "1σ");
}

TEST(Unicode, FindsTheFirstInvalidByte) {
  EXPECT_FALSE(find_invalid_utf8("abc ü 日本 \U0001F600"));
  EXPECT_FALSE(find_invalid_utf8(std::string_view("\0", 1)));
  EXPECT_EQ(find_invalid_utf8("ab\xFF"), 2u);
  EXPECT_EQ(find_invalid_utf8("a\xC0\x80"), 1u) << "overlong";
  EXPECT_EQ(find_invalid_utf8("\xE0\x80\x80"), 0u) << "overlong";
  EXPECT_EQ(find_invalid_utf8("\xED\xA0\x80"), 0u) << "surrogate";
  EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0u) << "above U+10FFFF";
  EXPECT_EQ(find_invalid_utf8("ok\xE6\x97"), 2u) << "cut off";
  EXPECT_EQ(find_invalid_utf8("\x80"), 0u) << "a continuation byte alone";
}

TEST(Unicode, EncodesAndDecodesEveryCodePoint) {
  for_each_code_point([](char32_t c) {
    std::string text = "x";
    append_utf8(text, c);
    ASSERT_FALSE(find_invalid_utf8(text)) << static_cast<unsigned>(c);
    std::size_t pos = 1;
    ASSERT_EQ(next_code_point(text, pos), c);
    ASSERT_EQ(pos, text.size());
    ASSERT_EQ(previous_code_point(text, pos), c);
    ASSERT_EQ(pos, 1u);
  });
}

TEST(Unicode, CountsAndStrips) {
  EXPECT_EQ(count_code_points("añ日\U0001F600"), 4u);
  EXPECT_EQ(byte_offset("añ日x", 3), 6u);
  EXPECT_EQ(byte_offset("ab", 9), 2u);
  EXPECT_EQ(strip(" \n\u3000a b\u00A0"), "a b");
  EXPECT_EQ(strip(" \n"), "");
  EXPECT_TRUE(is_space("\u2028 "));
  EXPECT_FALSE(is_space(""));
  EXPECT_FALSE(is_space("\u200B"));
}

}  // namespace
}  // namespace weft
