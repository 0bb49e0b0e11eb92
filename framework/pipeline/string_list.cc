#include "framework/pipeline/string_list.h"

#include "framework/text/unicode.h"

namespace weft {
namespace {

class ListReader {
 public:
  explicit ListReader(std::string_view json) : json_(json) {}

  std::optional<std::vector<std::string>> read() {
    std::vector<std::string> texts;
    if (!take('[')) return std::nullopt;
    bool more = !take(']');
    while (more) {
      texts.emplace_back();
      if (!take('"') || !read_string(texts.back())) return std::nullopt;
      more = take(',');
      if (!more && !take(']')) return std::nullopt;
    }
    skip_blanks();
    if (at_ != json_.size()) return std::nullopt;
    return texts;
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

  bool read_string(std::string& text) {
    for (std::size_t start = at_; at_ < json_.size();) {
      const auto c = static_cast<unsigned char>(json_[at_]);
      if (c < 0x20) return false;
      if (c != '"' && c != '\\') {
        ++at_;
        continue;
      }
      text.append(json_.substr(start, at_ - start));
      ++at_;
      if (c == '"') return true;
      if (!read_escape(text)) return false;
      start = at_;
    }
    return false;
  }

  bool read_escape(std::string& text) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (at_ == json_.size()) return false;
    const char letter = json_[at_++];
    const std::size_t place = kLetters.find(letter);
    if (place != kLetters.npos) {
      text += kMeanings[place];
      return true;
    }
    return letter == 'u' && read_code_point(text);
  }

  bool read_code_point(std::string& text) {
    char32_t first = 0, second = 0;
    if (!read_hex(first)) return false;
    if (first < 0xD800 || first > 0xDFFF) {
      append_utf8(text, first);
      return true;
    }
    const bool pair = first < 0xDC00 && json_.substr(at_).starts_with("\\u");
    if (!pair) return false;
    at_ += 2;
    if (!read_hex(second) || second < 0xDC00 || second > 0xDFFF) return false;
    append_utf8(text, 0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00)));
    return true;
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
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<std::string>> read_string_list(std::string_view json) {
  if (find_invalid_utf8(json)) return std::nullopt;
  return ListReader(json).read();
}

}  // namespace weft
