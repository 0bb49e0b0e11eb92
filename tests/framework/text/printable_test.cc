#include "framework/text/printable.h"

#include <string>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Printable, LeavesWordsOfAllScriptsAlone) {
  const std::string text = "Zürich 東京 😀 e\u0301 — \u00A0x";
  EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ShowsWhatWouldActOnATerminal) {
  EXPECT_EQ(printable("\x1B[31mred\a"), "\\u{1B}[31mred\\u{7}");
  EXPECT_EQ(printable("a\tb\r\nc"), "a\\u{9}b\\u{D}\\u{A}c");
  EXPECT_EQ(printable("\u009B2J"), "\\u{9B}2J");
  EXPECT_EQ(printable("abc\u202Ecba\u2066"), "abc\\u{202E}cba\\u{2066}");
  EXPECT_EQ(printable("a\u200Bb\u2028"), "a\\u{200B}b\\u{2028}");
}

TEST(Printable, ShowsBytesThatAreNoText) {
  EXPECT_EQ(printable("a\xFFz"), "a\\x{FF}z");
  EXPECT_EQ(printable("\xE2\x82"), "\\x{E2}\\x{82}");
  EXPECT_EQ(printable(std::string(1, '\0')), "\\u{0}");
}

TEST(Printable, LinesKeepTheirBreaksAndTabs) {
  EXPECT_EQ(printable_lines("a\tb\nc\r\x1B[0m\u2028"), "a\tb\nc\\u{D}\\u{1B}[0m\\u{2028}");
}

TEST(Printable, EscapesOfJsonReadBackAsTheSameText) {
  EXPECT_EQ(printable_lines("\"\x7F\u009B\u202E\U000E0001\"", EscapeForm::json),
            "\"\\u007f\\u009b\\u202e\\udb40\\udc01\"");
  EXPECT_EQ(printable_lines("\xFF", EscapeForm::json), "\\ufffd");
}

TEST(Printable, KnowsWhereACharacterGoesOn) {
  EXPECT_EQ(unfinished_bytes(""), 0);
  EXPECT_EQ(unfinished_bytes("ab"), 0);
  EXPECT_EQ(unfinished_bytes("aé"), 0);
  EXPECT_EQ(unfinished_bytes("a\xC3"), 1);
  EXPECT_EQ(unfinished_bytes("\xE2\x82"), 2);
  EXPECT_EQ(unfinished_bytes("\xF0\x9F\x98"), 3);
  EXPECT_EQ(unfinished_bytes("\xF0\x9F\x98\x80"), 0);
  EXPECT_EQ(unfinished_bytes("\x80\x80\x80\x80"), 0);  // never begun
  EXPECT_EQ(unfinished_bytes("\xFF"), 0);
}

TEST(Printable, IsCutBetweenCharacters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc…");
  EXPECT_EQ(shortened("aéé", 4), "aé…");
  EXPECT_EQ(shortened("", 0), "");
  const std::string longest(kLongestQuote, 'x');
  std::string cut = longest;
  cut += "…";
  EXPECT_EQ(printable_brief(longest), longest);
  EXPECT_EQ(printable_brief(cut), cut);
  EXPECT_LE(printable_brief(std::string(kLongestQuote, '\x1B')).size(), cut.size());
  EXPECT_EQ(printable_brief("a\nb"), "a\\u{A}b");
}

}  // namespace
}  // namespace weft
