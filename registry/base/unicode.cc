#include "registry/base/unicode.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace weft {
namespace {

constexpr CodePoint kInvalid{0xFFFFFFFF, 1};

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Bytes of the sequence that `first` begins; 0 if nothing begins with it.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  if (first >= 0xF0 && first < 0xF5) return 4;
  return 0;
}

// A number of ASCII bytes from `pos` on, where there is one at least: words of eight where there
// are.
std::size_t ascii_at(std::string_view text, std::size_t pos) {
  std::size_t end = pos;
  for (std::uint64_t word; end + sizeof word <= text.size(); end += sizeof word) {
    std::memcpy(&word, text.data() + end, sizeof word);
    if ((word & 0x8080808080808080) != 0) break;
  }
  return std::max<std::size_t>(end - pos, 1);
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = sequence_length(first);
  if (length == 1) return {first, 1};
  if (length == 0 || length > text.size()) return kInvalid;
  char32_t value = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return kInvalid;
    value = (value << 6) | (static_cast<unsigned char>(text[i]) & 0x3F);
  }
  static constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || surrogate) return kInvalid;
  return {value, length};
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    if (static_cast<unsigned char>(text[pos]) < 0x80) {
      pos += ascii_at(text, pos);
      continue;
    }
    const CodePoint point = first_code_point(text.substr(pos));
    if (point.value == kInvalid.value) return pos;
    pos += point.length;
  }
  return std::nullopt;
}

Blanks leading_blanks(std::string_view text) {
  Blanks blanks{0, 0};
  while (blanks.bytes < text.size()) {
    const CodePoint point = first_code_point(text.substr(blanks.bytes));
    if (!is_space(point.value)) break;
    ++blanks.count;
    blanks.bytes += point.length;
  }
  return blanks;
}

std::string_view strip_right(std::string_view text) {
  while (!text.empty()) {
    if (static_cast<unsigned char>(text.back()) < 0x80) {
      if (!is_space(static_cast<char32_t>(text.back()))) break;
      text.remove_suffix(1);
      continue;
    }
    std::size_t length = 1;
    while (length < 4 && length < text.size() && is_continuation(text[text.size() - length])) {
      ++length;
    }
    const CodePoint last = first_code_point(text.substr(text.size() - length));
    if (last.length != length || !is_space(last.value)) break;
    text.remove_suffix(length);
  }
  return text;
}

std::string_view strip(std::string_view text) {
  text = strip_right(text);
  text.remove_prefix(leading_blanks(text).bytes);
  return text;
}

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

}  // namespace weft
