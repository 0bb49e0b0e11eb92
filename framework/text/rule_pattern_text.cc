#include "framework/text/rule_pattern_text.h"

#include <cstddef>
#include <iterator>

#include <fmt/format.h>

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

bool is_plain_ascii(char32_t c) {
  return (c >= U'0' && c <= U'9') || (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
}

// One character in a pattern; `in_class` ones are escaped so that they cannot be read as syntax.
void write_code_point(std::string& out, char32_t c) {
  if (is_plain_ascii(c)) {
    append_utf8(out, c);
  } else if (c > U' ' && c < 0x7F) {
    out += '\\';
    append_utf8(out, c);
  } else if (c > 0xFFFF) {
    fmt::format_to(std::back_inserter(out), "\\U{:08X}", static_cast<unsigned>(c));
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04X}", static_cast<unsigned>(c));
  }
}

}  // namespace

void write_literal(std::string& out, std::string_view text) {
  constexpr std::string_view kSyntax = "\\^$.|?*+()[]{}";
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = next_code_point(text, pos);
    if (c > 0x20 && c < 0x7F && kSyntax.find(static_cast<char>(c)) == kSyntax.npos) {
      out += static_cast<char>(c);
    } else if (c < 0x7F || is_space(c)) {
      write_code_point(out, c);
    } else {
      append_utf8(out, c);
    }
  }
}

std::string class_of(const RuleSet& set) {
  const auto& ranges = set.points.ranges();
  if (ranges.empty() && set.shorthands.size() == 2) return set.shorthands;
  std::string out = "[" + set.shorthands;
  for (const auto& range : ranges) {
    write_code_point(out, range.first);
    if (range.last == range.first) continue;
    if (range.last > range.first + 1) out += '-';
    write_code_point(out, range.last);
  }
  return out + "]";
}

}  // namespace weft
