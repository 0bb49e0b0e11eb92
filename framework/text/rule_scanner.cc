#include "framework/text/rule_scanner.h"

#include <cctype>

#include <fmt/format.h>

#include "framework/unicode/unicode.h"
#include "registry/base/letter_case.h"

namespace weft {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace

void RuleScanner::skip_blanks() {
  while (pos_ < text_.size() && is_blank(text_[pos_])) ++pos_;
}

bool RuleScanner::take(std::string_view sign) {
  skip_blanks();
  if (!text_.substr(pos_).starts_with(sign)) return false;
  pos_ += sign.size();
  return true;
}

bool RuleScanner::take_word(std::string_view word) {
  const std::size_t start = pos_;
  if (take(word) && (pos_ == text_.size() || !is_name(text_[pos_]))) return true;
  pos_ = start;
  return false;
}

std::string RuleScanner::name() {
  skip_blanks();
  const std::size_t start = pos_;
  while (pos_ < text_.size() && is_name(text_[pos_])) ++pos_;
  if (pos_ == start) fail("a name is missing");
  return std::string(text_.substr(start, pos_ - start));
}

void RuleScanner::escape(std::string& out) {
  if (pos_ == text_.size()) fail("a backslash at the end");
  const char c = text_[pos_++];
  switch (c) {
    case 'n':
      out += '\n';
      break;
    case 't':
      out += '\t';
      break;
    case 'u':
      append_utf8(out, code_point());
      break;
    case '\\':
    case '"':
    case '\'':
    case '=':
    case '#':
      out += c;
      break;
    default:
      fail("an unknown escape");
  }
}

std::string RuleScanner::quoted(char quote) {
  std::string text;
  while (pos_ < text_.size() && text_[pos_] != quote) {
    const char c = text_[pos_++];
    if (c == '\\') {
      escape(text);
    } else {
      text += c;
    }
  }
  if (pos_ == text_.size()) fail("a quote is not closed");
  ++pos_;
  return text;
}

// A sign in single quotes does not end the text: `\p{...}` and sets may name it.
std::string_view RuleScanner::until(char c) {
  const std::size_t start = pos_;
  while (pos_ < text_.size() && text_[pos_] != c) {
    if (text_[pos_++] == '\'') quoted('\'');
  }
  if (pos_ == text_.size()) fail(fmt::format("a '{}' is missing", c));
  return text_.substr(start, pos_++ - start);
}

std::string RuleScanner::word() {
  skip_blanks();
  if (take("\"")) return quoted('"');
  std::string text;
  while (pos_ < text_.size() && !is_blank(text_[pos_])) {
    const char c = text_[pos_++];
    if (c == '\\') {
      escape(text);
    } else {
      text += c;
    }
  }
  if (text.empty()) fail("a word is missing");
  return text;
}

char32_t RuleScanner::code_point() {
  char32_t value = 0;
  std::size_t digits = 0;
  for (; digits < 6 && pos_ < text_.size(); ++digits, ++pos_) {
    const char c = lower_case(text_[pos_]);
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && (c < 'a' || c > 'f')) break;
    value = value * 16 + static_cast<char32_t>(is_digit ? c - '0' : c - 'a' + 10);
  }
  if (digits < 4 || value > 0x10FFFF) fail("a code point needs 4 to 6 hexadecimal digits");
  return value;
}

unsigned RuleScanner::number() {
  skip_blanks();
  unsigned value = 0;
  const std::size_t start = pos_;
  while (pos_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[pos_])) &&
         // Counts of repetitions: the bound keeps the number from overflowing, and a longer one
         // fails where its next digit is met.
         value < 10000) {
    value = value * 10 + static_cast<unsigned>(text_[pos_++] - '0');
  }
  if (pos_ == start) fail("a number is missing");
  return value;
}

void RuleScanner::fail(std::string_view what) const {
  throw Error(ErrorKind::config, fmt::format("{} at character {} of \"{}\"", what,
                                             count_code_points(text_.substr(0, pos_)) + 1, text_));
}

}  // namespace weft
