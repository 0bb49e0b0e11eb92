#include "registry/value/json_numbers.h"

#include <charconv>
#include <cstdint>
#include <limits>

#include "registry/value/number.h"

namespace weft {
namespace {

// A number of at most this many characters without an exponent always fits a double.
constexpr std::size_t kSurelyFinite = 300;

bool is_number_char(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

bool needs_own_reading(std::string_view number) {
  if (number.size() > kSurelyFinite) return true;
  const auto e = number.find_first_of("eE");
  return e != std::string_view::npos && number.size() - e > 3;  // e999: may be infinite
}

// The library checks the syntax of what is left, so only text that it would take may be replaced.
bool is_json_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - start;
  };
  const bool zero_first = at < text.size() && text[at] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (zero_first && whole > 1)) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

// The end of the string that starts at `at`, or the end of the text.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

struct Word {
  std::string_view text;
  double value;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Word kWords[] = {{"NaN", std::numeric_limits<double>::quiet_NaN()},
                           {"Infinity", kInfinity},
                           {"-Infinity", -kInfinity}};

const Word* word_at(std::string_view text) {
  for (const Word& word : kWords) {
    if (text.starts_with(word.text)) return &word;
  }
  return nullptr;
}

// One pass over the text that knows strings and numbers and nothing else of JSON. Numbers are
// counted, so that the values can be put back by their ordinals once the library has parsed the
// rest.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  PlainJson run() {
    while (at_ < text_.size()) step();
    if (!plain_.specials.empty()) plain_.text.append(text_.substr(copied_));
    return std::move(plain_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '"') {
      at_ = string_end(text_, at_);
    } else if (const Word* word =
                   c == 'N' || c == 'I' || c == '-' ? word_at(text_.substr(at_)) : nullptr) {
      replace(word->text.size(), Node(word->value));
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      number();
    } else {
      ++at_;
    }
  }

  void number() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_number_char(text_[end])) ++end;
    const std::string_view number = text_.substr(at_, end - at_);
    if (needs_own_reading(number) && is_json_number(number)) {
      replace(number.size(), number_from_text(number));
    } else {
      at_ = end;
      ++count_;
    }
  }

  void replace(std::size_t length, Node value) {
    plain_.text.append(text_.substr(copied_, at_ - copied_))
        .append(" 0 ");  // blanks: `-NaN` stays invalid
    plain_.specials.push_back({count_++, std::move(value)});
    at_ += length;
    copied_ = at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;  // up to here the text is in plain_
  std::size_t count_ = 0;
  PlainJson plain_;
};

}  // namespace

std::optional<PlainJson> without_special_numbers(std::string_view text) {
  if (text.find('\0') != std::string_view::npos || text.starts_with("\xEF\xBB\xBF"))
    return std::nullopt;
  return Scan(text).run();
}

Node number_from_text(std::string_view text) {
  if (text.find_first_of(".eE") == std::string_view::npos) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc()) return Node(value);
    return Node(BigInteger{std::string(text)});
  }
  return Node(double_of(std::string(text)));
}

}  // namespace weft
