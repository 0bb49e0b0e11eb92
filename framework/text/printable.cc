#include "framework/text/printable.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <utf8proc.h>

namespace weft {
namespace {

constexpr unsigned kReplacement = 0xFFFD;

bool is_shown(utf8proc_int32_t code_point) {
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return false;
    default:
      return true;
  }
}

bool is_plain(char c) {
  return c >= ' ' && c <= '~';
}

void escape(std::string& shown, unsigned code_point, EscapeForm form) {
  const auto out = std::back_inserter(shown);
  if (form == EscapeForm::braces) {
    fmt::format_to(out, "\\u{{{:X}}}", code_point);
  } else if (code_point <= 0xFFFF) {
    fmt::format_to(out, "\\u{:04x}", code_point);
  } else {
    const unsigned offset = code_point - 0x10000;
    fmt::format_to(out, "\\u{:04x}\\u{:04x}", 0xD800 + (offset >> 10), 0xDC00 + (offset & 0x3FF));
  }
}

void escape_byte(std::string& shown, char byte, EscapeForm form) {
  if (form == EscapeForm::json) return escape(shown, kReplacement, form);
  fmt::format_to(std::back_inserter(shown), "\\x{{{:02X}}}", static_cast<unsigned char>(byte));
}

// The first character of the text, which is not plain; gives its length in bytes.
std::size_t show_character(std::string& shown, std::string_view text, EscapeForm form) {
  utf8proc_int32_t code_point = 0;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  if (length <= 0) {
    escape_byte(shown, text.front(), form);
    return 1;
  }
  const auto bytes = static_cast<std::size_t>(length);
  if (is_shown(code_point)) {
    shown += text.substr(0, bytes);
  } else {
    escape(shown, static_cast<unsigned>(code_point), form);
  }
  return bytes;
}

template <class Stays>
std::string shown_text(std::string_view text, EscapeForm form, const Stays& stays) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto end = std::find_if_not(text.begin(), text.end(), stays);
    const auto plain = static_cast<std::size_t>(end - text.begin());
    shown += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(show_character(shown, text, form));
  }
  return shown;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Of the sequence that the byte starts; 1 for a byte that starts none.
std::size_t sequence_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte >= 0xF0 && byte < 0xF8) return 4;
  if (byte >= 0xE0) return byte < 0xF0 ? 3 : 1;
  return byte >= 0xC0 ? 2 : 1;
}

}  // namespace

std::string printable(std::string_view text) {
  return shown_text(text, EscapeForm::braces, is_plain);
}

std::string printable_lines(std::string_view text, EscapeForm form) {
  return shown_text(text, form, [](char c) { return is_plain(c) || c == '\n' || c == '\t'; });
}

std::size_t unfinished_bytes(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const char c = text[text.size() - back];
    if (!is_continuation(c)) return sequence_length(c) > back ? back : 0;
  }
  return 0;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::string_view kept = text.substr(0, most);
  kept.remove_suffix(unfinished_bytes(kept));
  return std::string(kept) + "…";
}

std::string printable_brief(std::string_view text) {
  return shortened(printable(shortened(text, kLongestQuote)), kLongestQuote);
}

}  // namespace weft
