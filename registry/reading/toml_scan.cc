#include "registry/reading/toml_scan.h"

#include <algorithm>

#include "registry/base/unicode.h"
#include "registry/reading/config_limits.h"

namespace weft {
namespace {

constexpr std::string_view kUnquoted =
    "a name or value with quotes or characters beyond ASCII in it must be quoted as a whole";

// A scan of quotes, brackets and comments, no parser: everything else is left to the library, which
// runs only on texts that this one lets pass.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  TomlScan run() {
    while (at_ < text_.size() && !scan_.has_too_many) step();
    return std::move(scan_);
  }

 private:
  void step() {
    switch (text_[at_]) {
      case '\n':
        ++line_;
        line_start_ = at_ + 1;
        dots_ = 0;
        in_value_ = !open_.empty();
        scan_.has_too_many |= line_ > kMostConfigLines;
        ++at_;
        break;
      case '#':
        comment();
        break;
      case '"':
      case '\'':
        quoted(text_[at_]);
        break;
      case '.':
        if (++dots_ > kDeepestConfig && scan_.too_deep_line == 0) scan_.too_deep_line = line_;
        ++at_;
        break;
      case '=':
      case ',':
      case '[':
      case '{':
        scan_.has_too_many |= ++items_ > kMostConfigValues;
        dots_ = 0;
        structure(text_[at_]);
        ++at_;
        break;
      case ']':
      case '}':
        if (!open_.empty()) open_.pop_back();
        ++at_;
        break;
      default:
        if (is_beyond_ascii(at_)) stray(kUnquoted);
        ++at_;
    }
  }

  // Follows arrays and inline tables, to know where a name may stand and where a value.
  void structure(char mark) {
    if (mark == '=') {
      in_value_ = true;
    } else if (mark == ',') {
      in_value_ = !open_.empty() && open_.back() == '[';
    } else {
      if (!follows_one_of(" \t\r\n=,[{")) stray(kUnquoted);
      if (!in_value_) return;  // of a section's name
      open_.push_back(mark);
      in_value_ = mark == '[';
    }
  }

  bool follows_one_of(std::string_view marks) const {
    return at_ == 0 || marks.find(text_[at_ - 1]) != std::string_view::npos;
  }

  bool is_beyond_ascii(std::size_t at) const {
    return at < text_.size() && static_cast<unsigned char>(text_[at]) >= 0x80;
  }

  void stray(std::string_view reason) {
    if (scan_.stray_line != 0) return;
    scan_.stray_reason = reason;
    scan_.stray_line = line_;
    const std::string_view before = text_.substr(line_start_, at_ - line_start_);
    scan_.stray_column = static_cast<int>(count_code_points(before)) + 1;
  }

  void comment() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    scan_.comments.push_back({line_, std::string(strip_right(text_.substr(at_, end - at_)))});
    at_ = end;
  }

  void quoted(char quote) {
    if (!follows_one_of(in_value_ ? " \t\r\n=,[{" : " \t\r\n=,[{.")) stray(kUnquoted);
    const std::string three(3, quote);
    const bool long_string = text_.substr(at_).starts_with(three);
    at_ += long_string ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (long_string ? text_.substr(at_).starts_with(three) : c == quote) break;
      if (c == '\n') {
        if (!long_string) return;  // never closed: the library will say so
        ++line_;
        line_start_ = at_ + 1;
      }
      if (c == '\\' && quote == '"') check_joined_line();
      at_ += c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
    }
    if (!long_string) {
      at_ = std::min(at_ + 1, text_.size());
      return;
    }
    // Up to two quotes may stand before the closing three.
    for (int i = 0; i < 5 && at_ < text_.size() && text_[at_] == quote; ++i) ++at_;
  }

  // Called at a backslash.
  void check_joined_line() {
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at_ + 1);
    if (is_beyond_ascii(next)) stray("a character beyond ASCII cannot follow a backslash here");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  int dots_ = 0;
  std::size_t items_ = 0;
  bool in_value_ = false;
  std::string open_;  // the arrays and inline tables around this place: '[' and '{'
  TomlScan scan_;
};

}  // namespace

TomlScan scan_toml(std::string_view text) {
  return Scanner(text).run();
}

}  // namespace weft
