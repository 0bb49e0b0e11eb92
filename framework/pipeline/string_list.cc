#include "framework/pipeline/string_list.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

// How many of eight bytes come before the first that is a quote, a backslash or below 0x20. A
// subtraction borrows from the bytes behind that one, which are then told wrong: the first is the
// lowest, so this is for processors that read it there.
std::size_t plain_of_eight(const char* text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kTops = 0x8080808080808080;
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  const auto zero_bytes = [](std::uint64_t w) { return (w - kOnes) & ~w; };
  const std::uint64_t quotes = zero_bytes(word ^ kOnes * '"');
  const std::uint64_t slashes = zero_bytes(word ^ kOnes * '\\');
  const std::uint64_t controls = (word - kOnes * 0x20) & ~word;
  const std::uint64_t found = (quotes | slashes | controls) & kTops;
  return static_cast<std::size_t>(std::countr_zero(found)) / 8;
}
constexpr bool kEightAtOnce = std::endian::native == std::endian::little;

// Walks a list. With `texts`, its strings are added there.
class ListReader {
 public:
  explicit ListReader(std::string_view json, std::vector<std::string>* texts)
      : json_(json), texts_(texts) {}

  bool read() {
    if (!take('[')) return false;
    bool more = !take(']');
    if (more && !take('"')) return false;
    while (more) {
      if (!read_string()) return false;
      if (take_usual_gap()) continue;
      more = take(',');
      if (!take(more ? '"' : ']')) return false;
    }
    skip_blanks();
    return at_ == json_.size();
  }

 private:
  void skip_blanks() {
    const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
    while (at_ < json_.size() && is_blank(json_[at_])) ++at_;
  }

  // Passes blanks over; then the character, if it is the next.
  bool take(char c) {
    skip_blanks();
    if (at_ == json_.size() || json_[at_] != c) return false;
    ++at_;
    return true;
  }

  // The separator of two strings, as lists are usually written.
  bool take_usual_gap() {
    constexpr std::string_view kGap = ",\n  \"";
    if (json_.size() - at_ < kGap.size()) return false;
    const bool usual = std::memcmp(json_.data() + at_, kGap.data(), kGap.size()) == 0;
    at_ += usual ? kGap.size() : 0;
    return usual;
  }

  bool read_string() {
    if (texts_) texts_->emplace_back();
    for (std::size_t start = at_;; start = at_) {
      pass_plain();
      add(json_.substr(start, at_ - start));
      if (at_ == json_.size() || static_cast<unsigned char>(json_[at_]) < 0x20) return false;
      if (json_[at_++] == '"') return true;
      if (!read_escape()) return false;
    }
  }

  // Up to the next character that is a quote, a backslash or below 0x20.
  void pass_plain() {
    while (kEightAtOnce && json_.size() - at_ >= 8) {
      const std::size_t plain = plain_of_eight(json_.data() + at_);
      at_ += plain;
      if (plain < 8) return;
    }
    const auto is_plain = [](unsigned char c) { return c >= 0x20 && c != '"' && c != '\\'; };
    while (at_ < json_.size() && is_plain(static_cast<unsigned char>(json_[at_]))) ++at_;
  }

  void add(std::string_view text) {
    if (texts_) texts_->back() += text;
  }

  void add(char32_t c) {
    if (texts_) append_utf8(texts_->back(), c);
  }

  bool read_escape() {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (at_ == json_.size()) return false;
    const char letter = json_[at_++];
    const std::size_t place = kLetters.find(letter);
    if (place == kLetters.npos) return letter == 'u' && read_code_point();
    add(kMeanings.substr(place, 1));
    return true;
  }

  bool read_code_point() {
    char32_t first = 0, second = 0;
    if (!read_hex(first)) return false;
    if (first < 0xD800 || first > 0xDFFF) return add(first), true;
    const bool pair = first < 0xDC00 && json_.substr(at_).starts_with("\\u");
    if (!pair) return false;
    at_ += 2;
    if (!read_hex(second) || second < 0xDC00 || second > 0xDFFF) return false;
    return add(0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00))), true;
  }

  bool read_hex(char32_t& value) {
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = at_ < json_.size() ? json_[at_] : ' ';
      const bool digit = c >= '0' && c <= '9';
      const char letter = static_cast<char>(c | 0x20);
      if (!digit && !(letter >= 'a' && letter <= 'f')) return false;
      value = value << 4 | static_cast<char32_t>(digit ? c - '0' : letter - 'a' + 10);
    }
    return true;
  }

  std::string_view json_;
  std::vector<std::string>* texts_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<std::string>> read_string_list(std::string_view json) {
  std::vector<std::string> texts;
  if (find_invalid_utf8(json) || !ListReader(json, &texts).read()) return std::nullopt;
  return texts;
}

bool is_string_list(std::string_view json) {
  return !find_invalid_utf8(json) && ListReader(json, nullptr).read();
}

}  // namespace weft
