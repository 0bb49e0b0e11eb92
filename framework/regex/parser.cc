#include "framework/regex/parser.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "framework/regex/class_parser.h"
#include "framework/regex/cursor.h"
#include "framework/regex/flags.h"
#include "framework/regex/groups.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

// A group inside of a group costs several frames of the stack, and patterns come from files: deeper
// nesting is refused before the stack is used up.
constexpr int kMaxDepth = 200;

constexpr std::string_view kNothingToRepeat = "nothing to repeat";

// Python repeats what takes characters, and groups, but no places.
bool is_place(RegexKind kind) {
  return kind == RegexKind::line_start || kind == RegexKind::line_end ||
         kind == RegexKind::text_start || kind == RegexKind::text_end ||
         kind == RegexKind::word_boundary;
}

RegexNode node_of(RegexKind kind) {
  RegexNode node;
  node.kind = kind;
  return node;
}

// Recursive descent over the syntax of Python's `re`, one function for each rule:
//
//   alternation = sequence {"|" sequence}
//   sequence    = {atom [quantifier]}
//   atom        = class | group | escape | "." | "^" | "$" | code point
//
// Flags belong to the group in which they are set, so they are kept here and put on each node.
class Parser {
 public:
  explicit Parser(std::string_view pattern) : in_(pattern) {}

  RegexNode parse() {
    read_head_flags(in_, flags_);
    RegexNode root = alternation(0);
    if (!in_.done()) in_.fail("a closing parenthesis without its opening one");
    return root;
  }

 private:
  RegexNode alternation(int depth) {
    if (depth > kMaxDepth) in_.fail("groups are nested too deeply");
    RegexNode result = node_of(RegexKind::alternation);
    do {
      result.children.push_back(sequence(depth));
    } while (in_.take('|'));
    if (result.children.size() == 1) return std::move(result.children[0]);
    return result;
  }

  RegexNode sequence(int depth) {
    RegexNode result = node_of(RegexKind::sequence);
    for (skip_blanks(); !in_.done() && !in_.at('|') && !in_.at(')'); skip_blanks()) {
      std::uint32_t count = 0;
      if (quantifier(count, count)) in_.fail(kNothingToRepeat);
      // A comment may stand between an item and its quantifier, and blanks in a verbose pattern.
      RegexNode item = atom(depth);
      skip_blanks();
      result.children.push_back(repeated(std::move(item)));
    }
    return result;
  }

  RegexNode atom(int depth) {
    const char32_t c = in_.next();
    switch (c) {
      case U'[':
        return with_case(parse_class(in_));
      case U'(':
        return group(depth);
      case U'\\':
        return escape();
      case U'.':
        return any();
      case U'^':
        return line(RegexKind::line_start);
      case U'$':
        return line(RegexKind::line_end);
      default:
        return literal(c);
    }
  }

  RegexNode literal(char32_t c) {
    RegexNode node = node_of(RegexKind::set);
    node.set = CodePointSet::of(c);
    return with_case(std::move(node));
  }

  RegexNode with_case(RegexNode node) {
    node.ignore_case = flags_.ignore_case;
    return node;
  }

  // A dot is the complement of a set: of the line feed, or of nothing under the flag s.
  RegexNode any() {
    RegexNode node = node_of(RegexKind::set);
    node.negated = true;
    if (!flags_.dot_all) node.set = CodePointSet::of(U'\n');
    return node;
  }

  RegexNode line(RegexKind kind) {
    RegexNode node = node_of(kind);
    node.multiline = flags_.multiline;
    return node;
  }

  RegexNode escape() {
    const char32_t c = in_.peek();
    if (c == U'A' || c == U'Z') {
      in_.next();
      return node_of(c == U'A' ? RegexKind::text_start : RegexKind::text_end);
    }
    if (c == U'b' || c == U'B') {
      in_.next();
      RegexNode node = node_of(RegexKind::word_boundary);
      node.negative = c == U'B';
      return node;
    }
    // Three octal digits are a code point, fewer digits the number of a group.
    if (c >= U'1' && c <= U'9' && !in_.octal_ahead()) return back_reference(in_.number());
    return with_case(parse_escape(in_, false));
  }

  RegexNode back_reference(std::uint32_t number) {
    groups_.check_reference(in_, number);
    RegexNode node = with_case(node_of(RegexKind::back_reference));
    node.capture = number;
    return node;
  }

  RegexNode repeated(RegexNode item) {
    std::uint32_t min = 0, max = RegexNode::kUnlimited;
    if (!quantifier(min, max)) return item;
    if (is_place(item.kind)) in_.fail(kNothingToRepeat);
    RegexNode node = node_of(RegexKind::repeat);
    node.min = min;
    node.max = max;
    // "?" takes as little as possible, "+" gives nothing back (Python 3.11).
    if (in_.take('?')) {
      node.mode = RepeatMode::lazy;
    } else if (in_.take('+')) {
      node.mode = RepeatMode::possessive;
    }
    node.children.push_back(std::move(item));
    // Python has no "a**": a repetition is repeated inside of a group only.
    std::uint32_t again = 0;
    skip_blanks();
    if (quantifier(again, again)) in_.fail("a repetition of a repetition");
    return node;
  }

  bool quantifier(std::uint32_t& min, std::uint32_t& max) {
    if (in_.take('*')) return true;
    if (in_.take('+')) return min = 1, true;
    if (in_.take('?')) return max = 1, true;
    return in_.at('{') && counted(min, max);
  }

  // {m}, {m,}, {,n}, {m,n}; anything else behind a brace is no quantifier but plain text.
  bool counted(std::uint32_t& min, std::uint32_t& max) {
    const std::size_t start = in_.position();
    in_.next();
    const bool has_min = in_.at_digit();
    if (has_min) min = in_.number();
    const bool comma = in_.take(',');
    if (comma && in_.at_digit())
      max = in_.number();
    else if (!comma)
      max = min;
    if ((!has_min && !comma) || !in_.take('}')) {
      in_.rewind(start);
      return false;
    }
    if (max < min) in_.fail("the least count is greater than the greatest");
    return true;
  }

  // Flags that are set inside of a group end with it, so the outer ones are put back behind it.
  RegexNode group(int depth) {
    const RegexFlags outside = flags_;
    RegexNode node = node_of(RegexKind::group);
    if (in_.take('?')) {
      extension(node);
      // (?P=name) stands in parentheses and is no group: its end has been read with the name.
      if (node.kind == RegexKind::back_reference) return node;
    } else {
      node.capture = groups_.open();
    }
    const int around = node.behind ? groups_.begin_look_behind() : 0;
    node.children.push_back(alternation(depth + 1));
    if (!in_.take(')')) in_.fail("a parenthesis is not closed");
    flags_ = outside;
    if (node.capture > 0) groups_.close(node.capture, node.children[0]);
    if (node.behind) groups_.end_look_behind(in_, node.children[0], around);
    return node;
  }

  void extension(RegexNode& node) {
    if (in_.take(':')) return;
    if (in_.take('>')) {
      node.kind = RegexKind::atomic;
    } else if (in_.take('P')) {
      named(node);
    } else if (in_.at('=') || in_.at('!') || in_.at('<')) {
      node.kind = RegexKind::look;
      node.behind = in_.take('<');
      if (in_.take('!'))
        node.negative = true;
      else if (!in_.take('='))
        in_.fail("unknown group syntax");
    } else {
      read_group_flags(in_, flags_);
    }
  }

  void named(RegexNode& node) {
    if (in_.take('=')) {
      const std::string name = in_.word_until(U')');
      node = back_reference(groups_.number_of(in_, name));
      return;
    }
    if (!in_.take('<')) in_.fail("unknown group syntax");
    node.capture = groups_.open_named(in_);
  }

  void skip_blanks() { skip_blanks_and_comments(in_, flags_); }

  RegexCursor in_;
  RegexFlags flags_;
  RegexGroups groups_;
};

}  // namespace

RegexNode parse_regex(std::string_view pattern) {
  if (const auto bad = find_invalid_utf8(pattern)) {
    throw Error(ErrorKind::data, fmt::format("byte {} of the pattern is not UTF-8", *bad));
  }
  return Parser(pattern).parse();
}

}  // namespace weft
