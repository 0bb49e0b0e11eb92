#include "framework/render/escaped.h"

#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

bool is_hidden(char32_t c) {
  const auto lies = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  const bool is_control = (c < 0x20 && c != '\t' && c != '\n') || lies(0x7F, 0x9F);
  const bool turns = lies(0x202A, 0x202E) || lies(0x2066, 0x2069);
  return is_control || turns || lies(0x2028, 0x2029) || lies(0xFFFE, 0xFFFF);
}

void append_character(std::string& markup, char32_t c) {
  switch (c) {
    case '&':
      markup += "&amp;";
      return;
    case '<':
      markup += "&lt;";
      return;
    case '>':
      markup += "&gt;";
      return;
    case '"':
      markup += "&quot;";
      return;
    case '\'':
      markup += "&#39;";
      return;
    default:
      break;
  }
  if (is_hidden(c)) {
    fmt::format_to(std::back_inserter(markup), "\\u{{{:X}}}", static_cast<std::uint32_t>(c));
  } else {
    append_utf8(markup, c);
  }
}

}  // namespace

std::string markup_text(std::string_view text) {
  if (find_invalid_utf8(text)) return markup_text(printable_lines(text));
  std::string markup;
  markup.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) append_character(markup, next_code_point(text, at));
  return markup;
}

std::string markup_name(std::string_view text) {
  std::string name = shortened(text, kLongestName);
  for (char& c : name) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return markup_text(name);
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_plain = is_letter || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
    if (is_plain || c == '~') {
      encoded += c;
    } else {
      fmt::format_to(std::back_inserter(encoded), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

}  // namespace weft
