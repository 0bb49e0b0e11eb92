#include "framework/regex/class_parser.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {
namespace {

RegexNode set_node(CodePointSet set) {
  RegexNode node;
  node.kind = RegexKind::set;
  node.set = std::move(set);
  return node;
}

RegexNode shorthand_node(unsigned shorthand) {
  RegexNode node = set_node({});
  node.shorthands = shorthand;
  return node;
}

// \0, \012, \377: up to three octal digits.
char32_t octal(RegexCursor& in) {
  char32_t value = 0;
  for (int i = 0; i < 3 && in.at_digit() && in.peek() < U'8'; ++i) {
    value = value * 8 + (in.next() - U'0');
  }
  if (value > 0377) in.fail("an octal escape is greater than \\377");
  return value;
}

// Python refuses unknown escapes of ASCII letters, so that later versions may give them a meaning.
char32_t control(RegexCursor& in, char32_t c, bool in_class) {
  switch (c) {
    case U'a':
      return 0x07;
    case U'f':
      return 0x0C;
    case U'n':
      return 0x0A;
    case U'r':
      return 0x0D;
    case U't':
      return 0x09;
    case U'v':
      return 0x0B;
    case U'x':
      return in.code(2, 16);
    case U'u':
      return in.code(4, 16);
    case U'U':
      return in.code(8, 16);
    case U'b':
      if (in_class) return 0x08;
      break;
    default:
      break;
  }
  in.fail("an unknown escape");
}

// The character that an escape stands for; nothing, and `in` stays, before a shorthand for many
// characters.
std::optional<char32_t> escaped_character(RegexCursor& in, bool in_class) {
  if (in.at_digit()) {
    if (in.peek() != U'0' && !(in_class || in.octal_ahead())) in.fail("an unknown escape");
    return octal(in);
  }
  const bool letter = in.at_letter();
  const bool shorthand =
      letter && std::u32string_view(U"wWdDsS").find(in.peek()) != std::u32string_view::npos;
  if (shorthand) return std::nullopt;
  const char32_t c = in.next();
  return letter ? control(in, c, in_class) : c;
}

}  // namespace

RegexNode parse_escape(RegexCursor& in, bool in_class) {
  if (const auto c = escaped_character(in, in_class)) return set_node(CodePointSet::of(*c));
  switch (in.next()) {
    case U'w':
      return shorthand_node(kWord);
    case U'W':
      return shorthand_node(kNotWord);
    case U'd':
      return shorthand_node(kDigit);
    case U'D':
      return shorthand_node(kNotDigit);
    case U's':
      return set_node(python_space());
    default: {
      static const CodePointSet& not_space = *new CodePointSet(python_space().complement());
      return set_node(not_space);
    }
  }
}

namespace {

// A character of a class, or a shorthand.
struct ClassItem {
  std::optional<char32_t> single;
  RegexNode node;  // where it is no single character
};

ClassItem class_item(RegexCursor& in) {
  if (!in.take('\\')) return {in.next(), {}};
  if (const auto c = escaped_character(in, true)) return {c, {}};
  return {std::nullopt, parse_escape(in, true)};
}

void add_item(RegexNode& result, std::vector<CodePointSet::Range>& ranges, const ClassItem& item) {
  if (item.single) return ranges.push_back({*item.single, *item.single});
  result.shorthands |= item.node.shorthands;
  const auto& more = item.node.set.ranges();
  ranges.insert(ranges.end(), more.begin(), more.end());
}

}  // namespace

RegexNode parse_class(RegexCursor& in) {
  RegexNode result = set_node({});
  result.negated = in.take('^');
  std::vector<CodePointSet::Range> ranges;
  // A closing bracket right behind the opening one is a member of the class, as in Python.
  for (bool first = true; first || !in.at(']'); first = false) {
    const ClassItem low = class_item(in);
    const std::size_t before_dash = in.position();
    // A hyphen before the closing bracket stands for itself.
    if (in.take('-') && !in.at(']')) {
      const ClassItem high = class_item(in);
      if (!low.single || !high.single)
        in.fail("a range between things that are not single characters");
      if (*high.single < *low.single) in.fail("a range that runs backwards");
      ranges.push_back({*low.single, *high.single});
      continue;
    }
    in.rewind(before_dash);
    add_item(result, ranges, low);
  }
  in.next();
  result.set = CodePointSet(std::move(ranges));
  return result;
}

}  // namespace weft
