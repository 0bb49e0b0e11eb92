// A place in a pattern that is being read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {

class RegexCursor {
 public:
  explicit RegexCursor(std::string_view pattern) : text_(pattern) {}

  bool done() const { return pos_ == text_.size(); }
  bool at(char c) const { return !done() && text_[pos_] == c; }
  bool at_digit() const { return !done() && text_[pos_] >= '0' && text_[pos_] <= '9'; }
  bool at_letter() const {
    return !done() && ((text_[pos_] >= 'a' && text_[pos_] <= 'z') ||
                       (text_[pos_] >= 'A' && text_[pos_] <= 'Z'));
  }
  std::size_t position() const { return pos_; }
  void rewind(std::size_t position) { pos_ = position; }

  bool take(char c) {
    if (!at(c)) return false;
    ++pos_;
    return true;
  }

  char32_t peek() const {
    std::size_t pos = pos_;
    if (done()) fail("it ends too early");
    return next_code_point(text_, pos);
  }

  char32_t next() {
    if (done()) fail("it ends too early");
    return next_code_point(text_, pos_);
  }

  std::uint32_t number() {
    std::uint32_t value = 0;
    while (at_digit()) {
      value = value * 10 + static_cast<std::uint32_t>(text_[pos_++] - '0');
      if (value > 65535) fail("a number is too large");
    }
    return value;
  }

  // Exactly `digits` digits of base 8 or 16.
  char32_t code(int digits, int base) {
    char32_t value = 0;
    for (int i = 0; i < digits; ++i) {
      const char32_t c = next();
      const int digit = c >= U'0' && c <= U'9'   ? static_cast<int>(c - U'0')
                        : c >= U'a' && c <= U'f' ? static_cast<int>(c - U'a') + 10
                        : c >= U'A' && c <= U'F' ? static_cast<int>(c - U'A') + 10
                                                 : 99;
      if (digit >= base) fail("an escape has too few digits");
      value = value * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
    }
    if (value > 0x10FFFF) fail("an escape is greater than U+10FFFF");
    return value;
  }

  // Three octal digits, the first at most 3: an octal escape rather than a group's number.
  bool octal_ahead() const {
    if (pos_ + 3 > text_.size()) return false;
    const auto octal = [&](std::size_t i) { return text_[i] >= '0' && text_[i] <= '7'; };
    return text_[pos_] <= '3' && octal(pos_) && octal(pos_ + 1) && octal(pos_ + 2);
  }

  std::string word_until(char32_t end) {
    std::string word;
    for (char32_t c = next(); c != end; c = next()) append_utf8(word, c);
    if (word.empty()) fail("a group name is empty");
    return word;
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::data, fmt::format("{} (at character {} of the pattern)", what,
                                             count_code_points(text_.substr(0, pos_)) + 1));
  }

 private:
  std::string_view text_;
  std::size_t pos_ = 0;
};

}  // namespace weft
