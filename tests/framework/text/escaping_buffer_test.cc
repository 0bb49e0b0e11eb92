#include "framework/text/escaping_buffer.h"

#include <ostream>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

// The output of a stream to which the pieces are written one by one.
std::string shown(const std::vector<std::string>& pieces, EscapeForm form = EscapeForm::braces,
                  std::size_t longest_line = 0) {
  std::stringbuf target;
  {
    EscapingBuffer buffer(target, form, longest_line);
    std::ostream stream(&buffer);
    for (const std::string& piece : pieces) stream << piece << std::flush;
    EXPECT_TRUE(stream.good());
  }
  return target.str();
}

TEST(EscapingBuffer, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(shown({"plain é 漢 \t\n"}), "plain é 漢 \t\n");
  EXPECT_EQ(shown({"\x1B[31mred\a\r", "\u009B2J\u202E\xFF"}),
            "\\u{1B}[31mred\\u{7}\\u{D}\\u{9B}2J\\u{202E}\\x{FF}");
  EXPECT_EQ(shown({"\"\u202E\""}, EscapeForm::json), "\"\\u202e\"");
}

TEST(EscapingBuffer, CharactersMayComeInPieces) {
  const std::string text = "aé漢😀\u202E\xF0\x9F\xC3z\xE2\x82\n\xED\xA0\x80\xC0\xAF";
  const std::string whole = shown({text});
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      EXPECT_EQ(
          shown({text.substr(0, first), text.substr(first, second - first), text.substr(second)}),
          whole)
          << first << ' ' << second;
    }
  }
}

TEST(EscapingBuffer, TakesSingleBytes) {
  std::stringbuf target;
  EscapingBuffer buffer(target);
  for (const char c : std::string("é\x1B")) buffer.sputc(c);
  EXPECT_EQ(target.str(), "é\\u{1B}");
}

TEST(EscapingBuffer, ACharacterThatNeverEndsIsShownAtTheEnd) {
  EXPECT_EQ(shown({"a\xE2\x82"}), "a\\x{E2}\\x{82}");
}

TEST(EscapingBuffer, LongLinesAreCutAndTheNextBeginsAnew) {
  EXPECT_EQ(shown({"123456789\nabc\n"}, EscapeForm::braces, 5), "12345…\nabc\n");
  EXPECT_EQ(shown({"123", "456", "789", "\n12345\n"}, EscapeForm::braces, 5), "12345…\n12345\n");
  EXPECT_EQ(shown({"1234é\n"}, EscapeForm::braces, 5), "1234…\n");
}

TEST(EscapingBuffer, OnlyErasingALinePasses) {
  std::stringbuf target;
  EscapingBuffer buffer(target, EscapeForm::braces, 3);
  std::ostream terminal(&buffer);
  terminal << "12345\r";
  erase_line(terminal);
  terminal << "abc";
  EXPECT_EQ(target.str(), "123…\r\x1B[Kabc");
  std::ostringstream plain;
  erase_line(plain);
  EXPECT_EQ(plain.str(), "\r\x1B[K");
}

// Takes a few bytes and no more, as a full disk.
class FullBuffer : public std::streambuf {
 public:
  explicit FullBuffer(int room) : room_(room) {}

 protected:
  int_type overflow(int_type c) override { return room_-- > 0 ? c : traits_type::eof(); }

 private:
  int room_;
};

TEST(EscapingBuffer, AFullTargetFailsTheStream) {
  FullBuffer target(4);
  EscapingBuffer buffer(target, EscapeForm::braces, 100);
  std::ostream stream(&buffer);
  stream << "1234";
  EXPECT_TRUE(stream.good());
  stream << "5";
  EXPECT_FALSE(stream.good());
  std::ostream bar(&buffer);
  erase_line(bar);
  EXPECT_FALSE(bar.good());
}

}  // namespace
}  // namespace weft
