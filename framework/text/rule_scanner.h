// Reads the words of a line of a rule file: names, signs, and texts in quotes.
#pragma once

#include <string>
#include <string_view>

#include "registry/base/error.h"

namespace weft {

class RuleScanner {
 public:
  explicit RuleScanner(std::string_view text) : text_(text) {}

  bool done() {
    skip_blanks();
    return pos_ == text_.size();
  }
  // True, and behind it, if the next thing is `sign`.
  bool take(std::string_view sign);
  // The same for a whole word.
  bool take_word(std::string_view word);
  bool at(char c) {
    skip_blanks();
    return pos_ < text_.size() && text_[pos_] == c;
  }
  // True, without skipping blanks, if `c` stands right here.
  bool touches(char c) const { return pos_ < text_.size() && text_[pos_] == c; }

  std::string name();              // letters, digits and '_'
  std::string quoted(char quote);  // behind the opening quote; escapes \n \t \\ \" \' \uXXXX
  std::string_view until(char c);  // up to it and past it, wherever it stands outside '…'
  // Up to the next blank, or in double quotes; escapes as in quoted().
  std::string word();
  // U+ is behind: 4 to 6 hexadecimal digits.
  char32_t code_point();
  unsigned number();

  [[noreturn]] void fail(std::string_view what) const;

 private:
  void skip_blanks();
  void escape(std::string& out);

  std::string_view text_;
  std::size_t pos_ = 0;
};

}  // namespace weft
