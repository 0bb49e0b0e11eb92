#include "framework/regex/class_parser.h"

#include <utility>

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

bool is_single(const RegexNode& node) {
  return node.shorthands == 0 && !node.negated && node.set.size() == 1;
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

}  // namespace

RegexNode parse_escape(RegexCursor& in, bool in_class) {
  if (in.at_digit()) {
    if (in.peek() != U'0' && !(in_class || in.octal_ahead())) in.fail("an unknown escape");
    return set_node(CodePointSet::of(octal(in)));
  }
  const bool letter = in.at_letter();
  const char32_t c = in.next();
  switch (c) {
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
    case U'S':
      return set_node(python_space().complement());
    default:
      return set_node(CodePointSet::of(letter ? control(in, c, in_class) : c));
  }
}

RegexNode parse_class(RegexCursor& in) {
  RegexNode result = set_node({});
  result.negated = in.take('^');
  std::vector<CodePointSet::Range> ranges;
  const auto item = [&] {
    return in.take('\\') ? parse_escape(in, true) : set_node(CodePointSet::of(in.next()));
  };
  for (bool first = true; first || !in.at(']'); first = false) {
    const RegexNode low = item();
    const std::size_t before_dash = in.position();
    if (in.take('-') && !in.at(']')) {
      const RegexNode high = item();
      if (!is_single(low) || !is_single(high))
        in.fail("a range between things that are not single characters");
      const char32_t from = low.set.ranges()[0].first, to = high.set.ranges()[0].first;
      if (to < from) in.fail("a range that runs backwards");
      ranges.push_back({from, to});
      continue;
    }
    in.rewind(before_dash);
    result.shorthands |= low.shorthands;
    ranges.insert(ranges.end(), low.set.ranges().begin(), low.set.ranges().end());
  }
  in.next();
  result.set = CodePointSet(std::move(ranges));
  return result;
}

}  // namespace weft
