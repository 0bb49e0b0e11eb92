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

}  // namespace
}  // namespace weft
