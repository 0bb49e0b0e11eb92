#include "framework/regex/parser.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/regex/class_parser.h"
#include "framework/regex/cursor.h"
#include "framework/regex/width.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

// A group inside of a group costs several frames of the stack, and patterns come from files: deeper
// nesting is refused before the stack is used up.
constexpr int kMaxDepth = 200;

constexpr std::string_view kNothingToRepeat = "nothing to repeat";

struct Flags {
  bool ignore_case = false, multiline = false, dot_all = false, verbose = false;
};

// Python repeats what takes characters, and groups, but no places.
bool is_place(RegexKind kind) {
  return kind == RegexKind::line_start || kind == RegexKind::line_end ||
         kind == RegexKind::text_start || kind == RegexKind::text_end ||
         kind == RegexKind::word_boundary;
}

bool is_identifier(const std::string& name) {
  const char first = name.front();
  return !(first >= '0' && first <= '9') &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return c >= 0x80 || c == '_' || std::isalnum(c) != 0; });
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
    take_head_flags();
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
    for (skip_verbose(); !in_.done() && !in_.at('|') && !in_.at(')'); skip_verbose()) {
      if (skip_comment()) continue;
      std::uint32_t count = 0;
      if (quantifier(count, count)) in_.fail(kNothingToRepeat);
      // A comment may stand between an item and its quantifier, and blanks in a verbose pattern.
      RegexNode item = atom(depth);
      skip_blanks_and_comments();
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
    // Python refuses a reference to a group that is opened later: the groups seen so far suffice.
    if (number == 0 || number > groups_.size()) {
      in_.fail("a reference to a group that does not exist");
    }
    const Group& group = groups_[number - 1];
    if (group.is_open) in_.fail("a reference to a group inside of which it stands");
    if (group.look_behind != 0 && group.look_behind == look_behind_) {
      in_.fail("a reference to a group of the same look-behind");
    }
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
    skip_blanks_and_comments();
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
    const Flags outside = flags_;
    const int outer_look_behind = look_behind_;
    RegexNode node = node_of(RegexKind::group);
    if (in_.take('?')) {
      extension(node);
      // (?P=name) stands in parentheses and is no group: its end has been read with the name.
      if (node.kind == RegexKind::back_reference) return node;
    } else {
      node.capture = open_group();
    }
    if (node.behind) look_behind_ = ++look_behinds_;
    node.children.push_back(alternation(depth + 1));
    if (!in_.take(')')) in_.fail("a parenthesis is not closed");
    flags_ = outside;
    look_behind_ = outer_look_behind;
    if (node.capture > 0) close_group(node);
    if (node.behind && !width_of(node.children[0], widths_).is_fixed()) {
      in_.fail("a look-behind of several widths");
    }
    return node;
  }

  std::uint32_t open_group() {
    groups_.push_back({.look_behind = look_behind_});
    widths_.emplace_back();
    return static_cast<std::uint32_t>(groups_.size());
  }

  void close_group(const RegexNode& node) {
    groups_[node.capture - 1].is_open = false;
    widths_[node.capture - 1] = width_of(node.children[0], widths_);
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
      scoped_flags();
    }
  }

  void named(RegexNode& node) {
    if (in_.take('=')) {
      const auto found = names_.find(in_.word_until(U')'));
      if (found == names_.end()) in_.fail("a reference to a group that does not exist");
      node = back_reference(found->second);
      return;
    }
    if (!in_.take('<')) in_.fail("unknown group syntax");
    const std::string name = in_.word_until(U'>');
    if (!is_identifier(name)) in_.fail("a group name is a letter or _, then letters, digits or _");
    node.capture = open_group();
    if (!names_.emplace(name, node.capture).second) in_.fail("a group name is used twice");
  }

  void scoped_flags() {
    const std::u32string set = flags_until_colon_or_minus();
    std::u32string unset;
    if (in_.take('-')) {
      unset = flags_until_colon_or_minus();
      if (unset.empty()) in_.fail("a flag is missing");
    }
    if (!in_.take(':')) in_.fail("unknown group syntax");
    for (const char32_t c : set) set_flag(c, true);
    for (const char32_t c : unset) {
      if (c == U'u') in_.fail("the flag u cannot be unset");
      if (set.find(c) != set.npos) in_.fail("a flag is set and unset");
      set_flag(c, false);
    }
  }

  std::u32string flags_until_colon_or_minus() {
    std::u32string letters;
    while (!in_.done() && !in_.at(':') && !in_.at('-')) letters += in_.next();
    return letters;
  }

  void set_flag(char32_t c, bool on) {
    switch (c) {
      case U'i':
        flags_.ignore_case = on;
        break;
      case U'm':
        flags_.multiline = on;
        break;
      case U's':
        flags_.dot_all = on;
        break;
      case U'x':
        flags_.verbose = on;
        break;
      case U'u':
        break;
      default:
        in_.fail("unknown or unsupported flag or group syntax");
    }
  }

  // Python takes flags for the whole pattern at its head only.
  void take_head_flags() {
    while (true) {
      const std::size_t start = in_.position();
      if (!in_.take('(') || !in_.take('?') || !in_.at_letter() || in_.at('P')) {
        return in_.rewind(start);
      }
      std::u32string letters;
      while (in_.at_letter()) letters += in_.next();
      if (!in_.take(')')) return in_.rewind(start);
      for (const char32_t c : letters) set_flag(c, true);
    }
  }

  bool skip_comment() {
    const std::size_t start = in_.position();
    if (in_.take('(') && in_.take('?') && in_.take('#')) {
      while (!in_.take(')')) in_.next();
      return true;
    }
    in_.rewind(start);
    return false;
  }

  void skip_blanks_and_comments() {
    do skip_verbose();
    while (skip_comment());
  }

  // Blanks and comments of a verbose pattern. Python skips six characters alone: a no-break space
  // or a separator of ASCII is a literal.
  void skip_verbose() {
    while (flags_.verbose && !in_.done()) {
      const char32_t c = in_.peek();
      if (c == U'#') {
        while (!in_.done() && in_.next() != U'\n') continue;
      } else if (c == U' ' || (c >= U'\t' && c <= U'\r')) {
        in_.next();
      } else {
        return;
      }
    }
  }

  struct Group {
    bool is_open = true;
    int look_behind = 0;  // the one that it stands in; 0: none
  };

  RegexCursor in_;
  Flags flags_;
  std::vector<Group> groups_;  // that of number 1 first
  std::vector<RegexWidth> widths_;
  int look_behind_ = 0, look_behinds_ = 0;  // that which is being read, and how many there are
  std::map<std::string, std::uint32_t> names_;
};

}  // namespace

RegexNode parse_regex(std::string_view pattern) {
  if (const auto bad = find_invalid_utf8(pattern)) {
    throw Error(ErrorKind::data, fmt::format("byte {} of the pattern is not UTF-8", *bad));
  }
  return Parser(pattern).parse();
}

}  // namespace weft
