#include "components/languages/language_data.h"

#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "framework/text/tokenizer.h"
#include "framework/text/tokenizer_file.h"
#include "registry/base/error.h"
#include "tests/folders.h"

namespace weft {
namespace {

std::string stored_file(const std::string& code) {
  const std::string path =
      source_path("tests/conformance/data/tokenizer/tokenizers/") + code + ".tokenizer.gz";
  const gzFile file = gzopen(path.c_str(), "rb");
  std::string bytes;
  char buffer[1 << 16];
  for (int got; file && (got = gzread(file, buffer, sizeof buffer)) > 0;) {
    bytes.append(buffer, static_cast<std::size_t>(got));
  }
  gzclose(file);
  return bytes;
}

// Made of what the rules look at.
std::string random_text(std::mt19937& random, const TokenizerRules& rules) {
  static const std::vector<std::string> parts = {
      "a", "é", "ß", "Ü", "Z", "I", "İ", "ſ", "'", "’", "\"", "“", "-", "–", "‑", "--", "~", ".",
      "..", "…", ",", ":", "!", "/", "<", "=", "(", ")", "[", "]", "$", "US$", "%", "+", "*", "^",
      "#", "_", "|", "°", "°C", "0", "9", "km", "m²", "'s", "l'", "la", "trans", "grand", "http://",
      "www.", "com", ":8080", "user@", "8.8.8.8", " ", "  ", "\n", "\u00a0", "я", "Я", "Ω", "中",
      "😀", "©", "½", "\u2329", "\u3008", "\u200b", "\u0301", "ǅ", "ƻ", "،", "кг", "كم", ":)", "``",
      "''", ",,",
      // For the rules of single languages.
      "'12'", "-l'", "-te", "și-", "într-", "Ş", "-ului", "двѣ", "а\u0301", "długo-", "x-e", "IV.",
      "MCM", "'in", "3/4", "1.2.2017", "12:30", "-os", "αβγ", "α'", "όνομα-", "7'", "12mg", "1.5m",
      "(2-3)", "90%", "$5,5", "a/b/c", "x@y.z", "kl.", "é'", "s'", "X:Y", "’n"};
  std::string text;
  for (std::size_t n = 1 + random() % 7; n > 0; --n) {
    text += random() % 8 == 0 ? rules.special_cases[random() % rules.special_cases.size()].text
                              : parts[random() % parts.size()];
  }
  return text;
}

// Where the tokens stand, the spaces and the norms of their own.
std::string places(const Tokenizer& tokenizer, const std::string& text) {
  std::string out;
  for (const TokenSpan& token : tokenizer.tokenize(text).tokens) {
    out += std::to_string(token.begin) + "+" + std::to_string(token.length);
    out += token.space_after ? "_" : ";";
    if (token.norm != 0) out += tokenizer.norm(token.norm);
  }
  return out;
}

class LanguageData : public testing::TestWithParam<std::string> {};

TEST_P(LanguageData, AgreesWithSpacysTokenizer) {
  if (GetParam() == "zh") GTEST_SKIP() << "has no file of rules; its records are replayed";
  const TokenizerRules stored = read_tokenizer_rules(stored_file(GetParam()));
  const TokenizerRules built = language_tokenizer_rules(GetParam());
  EXPECT_EQ(built.special_cases, stored.special_cases);
  const Tokenizer theirs(stored), ours(built);
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = random_text(random, stored);
    ASSERT_EQ(places(ours, text), places(theirs, text)) << text;
  }
}

TEST_P(LanguageData, WritesSpacysFileBackByteForByte) {
  if (GetParam() == "zh") GTEST_SKIP() << "has no file of rules; its records are replayed";
  const std::string bytes = stored_file(GetParam());
  EXPECT_TRUE(write_tokenizer_rules(read_tokenizer_rules(bytes)) == bytes);
}

INSTANTIATE_TEST_SUITE_P(All, LanguageData, testing::ValuesIn(language_codes()),
                         [](const auto& info) { return info.param; });

TEST(LanguageCodes, AreKnown) {
  EXPECT_THAT(language_codes(), testing::ElementsAre("af", "ca", "cs", "da", "de", "el", "en", "es",
                                                     "fi", "fr", "hu", "it", "nb", "nl", "pl", "pt",
                                                     "ro", "ru", "sv", "tr", "uk", "xx", "zh"));
  for (const char* shared : {"base", "emoticons", "signs"}) EXPECT_FALSE(has_language(shared));
}

TEST(LanguageCodes, WithoutRulesHaveThoseOfAnyLanguageAndANote) {
  EXPECT_EQ(language_tokenizer_rules("hsb"), language_tokenizer_rules("xx"));
  EXPECT_THAT(language_note("hsb"), testing::HasSubstr("\"hsb\" has no tokenizer rules"));
  EXPECT_THAT(language_note("pll"), testing::HasSubstr("did you mean pl"));
  EXPECT_EQ(language_note("pl"), "");
  EXPECT_THAT(language_note("hsb"), testing::Not(testing::HasSubstr("spaCy has no language")));
  EXPECT_THAT(language_note("ja"), testing::Not(testing::HasSubstr("did you mean")));
  EXPECT_THAT(language_note("english"), testing::HasSubstr("spaCy has no language of this code"));
  for (const char* code : {"", "e", "EN", "../en", "en us", "12", "abcdefghijklmnopq"}) {
    EXPECT_FALSE(is_language_code(code)) << code;
    EXPECT_THROW(language_tokenizer_rules(code), Error) << code;
  }
}

TEST(LanguageRules, OfOnesOwnFileTakeOverBuiltInOnes) {
  const TokenizerRules rules = tokenizer_rules_of("include pl\n[words]\nnp.\n", "mine");
  EXPECT_GT(rules.special_cases.size(), language_tokenizer_rules("pl").special_cases.size());
  EXPECT_THROW(tokenizer_rules_of("include mine\n", "mine"), Error);
  EXPECT_THROW(tokenizer_rules_of("include absent\n", "mine"), Error);
}

}  // namespace
}  // namespace weft
