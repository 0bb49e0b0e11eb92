#include "registry/overrides/override_value.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "registry/value/json.h"

namespace weft {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Rewrites the looser notation as strict JSON, token by token; the JSON library then judges the
// rest.
class StrictJson {
 public:
  explicit StrictJson(std::string_view text) : text_(text) {}

  std::optional<std::string> run() {
    while (sound_ && at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        string();
      } else if (c == '-' || is_digit(c)) {
        number();
      } else {
        sound_ = c != 'N' && c != 'I' && c != '\0';  // no NaN, no Infinity
        out_ += c;
        ++at_;
      }
    }
    if (!sound_) return std::nullopt;
    return std::move(out_);
  }

 private:
  // Raw control characters in quotes are written as JSON escapes.
  void string() {
    out_ += text_[at_++];
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_++];
      if (c == '\0') sound_ = false;
      if (static_cast<unsigned char>(c) < ' ') {
        out_ += fmt::format("\\u{:04x}", static_cast<int>(c));
        continue;
      }
      out_ += c;
      if (c == '\\' && at_ < text_.size()) out_ += text_[at_++];
    }
    if (at_ < text_.size()) out_ += text_[at_++];
  }

  void number() {
    const bool negative = text_[at_] == '-';
    if (negative) ++at_;
    const std::size_t start = at_;
    std::string number = digits();
    bool is_float = false;
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      number += '.' + digits();
      is_float = true;
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      number += exponent();
      is_float = true;
    }
    if (at_ == start || (!is_float && !fits(number, negative))) sound_ = false;
    if (negative) out_ += '-';
    out_ += number;
  }

  // Digits without leading zeros; at least one, made up where the text has none.
  std::string digits() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    std::string_view found = text_.substr(start, at_ - start);
    const bool fraction = start > 0 && text_[start - 1] == '.';
    while (!fraction && found.size() > 1 && found[0] == '0') found.remove_prefix(1);
    return found.empty() ? "0" : std::string(found);
  }

  std::string exponent() {
    std::string exponent(1, text_[at_++]);
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) exponent += text_[at_++];
    return exponent + digits();
  }

  // Up to 2^64 - 1, or down to -2^63: the integers that the reference's parser takes.
  static bool fits(std::string_view digits, bool negative) {
    std::uint64_t value = 0;
    const auto end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, value);
    if (result.ec != std::errc()) return false;
    return !negative || value <= std::uint64_t{1} << 63;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  bool sound_ = true;
};

}  // namespace

Node override_value(std::string_view text) {
  if (const std::optional<std::string> json = StrictJson(text).run()) {
    if (std::optional<Node> node = parse_json(*json)) return *std::move(node);
  }
  return Node(std::string(text));
}

}  // namespace weft
