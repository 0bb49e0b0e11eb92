#include "framework/regex/analysis.h"

#include <algorithm>
#include <utility>

namespace weft {
namespace {

using Width = std::optional<std::size_t>;

Width plus(Width a, Width b) {
  return a && b ? Width(*a + *b) : std::nullopt;
}

// Neither the character nor anything that folds to it is a letter.
bool is_caseless(const CodePointSet& set) {
  static const CodePointSet caseless =
      CodePointSet::of_category("P") | CodePointSet::of_category("Z") |
      CodePointSet::of_category("Nd") | CodePointSet::of_category("Sm") |
      CodePointSet::of_category("Sc") | CodePointSet::of_category("Sk");
  return (set - caseless).empty();
}

// Upper bound of what a set takes when case is ignored.
CodePointSet folded(const CodePointSet& set) {
  if (is_caseless(set)) return set;
  std::vector<CodePointSet::Range> ranges{{0x80, CodePointSet::kLast}};
  for (char32_t c = 0; c < 0x80; ++c) {
    const bool upper = c >= U'A' && c <= U'Z', lower = c >= U'a' && c <= U'z';
    const char32_t other = upper ? c + 32 : lower ? c - 32 : c;
    // The long s and the Kelvin sign fold to ASCII letters, the dotted and dotless i to i.
    const bool from_outside =
        (c == U's' || c == U'S' || c == U'k' || c == U'K' || c == U'i' || c == U'I') &&
        set.count_in({0x80, CodePointSet::kLast}) > 0;
    if (set.contains(c) || set.contains(other) || from_outside) ranges.push_back({c, c});
  }
  return CodePointSet(std::move(ranges));
}

// The set that is most useful to look for: the fewest letters, digits, characters.
bool better_to_require(const CodePointSet& a, const CodePointSet& b) {
  const auto letters = [](const CodePointSet& s) {
    return s.count_in({U'a', U'z'}) + s.count_in({U'A', U'Z'});
  };
  const auto digits = [](const CodePointSet& s) { return s.count_in({U'0', U'9'}); };
  if (letters(a) != letters(b)) return letters(a) < letters(b);
  if (digits(a) != digits(b)) return digits(a) < digits(b);
  return a.size() < b.size();
}

RegexFacts nothing_taken() {
  RegexFacts facts;
  facts.required = CodePointSet::all();
  facts.max_width = 0;
  facts.can_be_empty = true;
  facts.can_fail = false;
  return facts;
}

RegexFacts of_set(const RegexNode& node) {
  const CodePointSet set = node.ignore_case ? folded(members(node)) : members(node);
  RegexFacts facts;
  facts.first = facts.last = facts.taken = facts.required = set;
  facts.max_width = 1;
  return facts;
}

void append(RegexFacts& facts, const RegexFacts& next) {
  if (facts.can_be_empty) facts.first = facts.first | next.first;
  facts.last = next.can_be_empty ? facts.last | next.last : next.last;
  facts.taken = facts.taken | next.taken;
  if (better_to_require(next.required, facts.required)) facts.required = next.required;
  facts.anchored_start |= next.anchored_start && facts.max_width == Width(0);
  facts.anchored_end = next.anchored_end || (facts.anchored_end && next.max_width == Width(0));
  // Where what comes after an unbounded part can fail, the part was walked in vain.
  facts.linear &= next.linear && (facts.max_width.has_value() || !next.can_fail);
  facts.can_fail |= next.can_fail;
  facts.max_width = plus(facts.max_width, next.max_width);
  facts.can_be_empty &= next.can_be_empty;
  facts.look_behind = std::max(facts.look_behind, next.look_behind);
}

// `(?<!X)Y+Z` with Y out of X and Z not out of Y: it is tried at the first of a run of Y only, so
// that no character is walked twice, and it fails at the end of the run or not at all.
bool starts_with_guarded_run(const std::vector<RegexNode>& parts) {
  if (parts.size() < 3 || parts[0].kind != RegexKind::look || parts[1].kind != RegexKind::repeat) {
    return false;
  }
  const RegexNode* guard = &parts[0].children[0];
  while (guard->children.size() == 1) guard = &guard->children[0];
  const RegexNode& run = parts[1].children[0];
  const bool sets = guard->kind == RegexKind::set && run.kind == RegexKind::set &&
                    parts[2].kind == RegexKind::set;
  if (!parts[0].behind || !parts[0].negative || !sets) return false;
  return (members(run) - members(*guard)).empty() && (members(run) & members(parts[2])).empty();
}

RegexFacts of_sequence(const RegexNode& node) {
  const bool guarded = starts_with_guarded_run(node.children);
  RegexFacts facts = nothing_taken(), rest = nothing_taken();
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const RegexFacts next = facts_of(node.children[i]);
    append(facts, next);
    if (i > 2) append(rest, next);
  }
  if (guarded) facts.linear = rest.linear;
  return facts;
}

void add_alternative(RegexFacts& facts, const RegexFacts& other) {
  facts.first = facts.first | other.first;
  facts.last = facts.last | other.last;
  facts.taken = facts.taken | other.taken;
  facts.required = facts.required | other.required;
  facts.max_width = facts.max_width && other.max_width
                        ? Width(std::max(*facts.max_width, *other.max_width))
                        : std::nullopt;
  facts.can_be_empty |= other.can_be_empty;
  facts.look_behind = std::max(facts.look_behind, other.look_behind);
  facts.anchored_start &= other.anchored_start;
  facts.anchored_end &= other.anchored_end;
  facts.can_fail &= other.can_fail;
  facts.linear &= other.linear;
}

RegexFacts of_alternation(const RegexNode& node) {
  RegexFacts facts = facts_of(node.children[0]);
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    add_alternative(facts, facts_of(node.children[i]));
  }
  return facts;
}

RegexFacts of_repeat(const RegexNode& node) {
  RegexFacts facts = facts_of(node.children[0]);
  const bool once = node.min == 1 && node.max == 1;
  if (node.max == RegexNode::kUnlimited) {
    facts.linear &= facts.max_width.has_value() || node.min <= 1;
    facts.max_width = facts.max_width == Width(0) ? Width(0) : std::nullopt;
  } else if (facts.max_width) {
    facts.max_width = *facts.max_width * node.max;
  }
  if (node.min == 0) {
    facts.can_be_empty = true;
    facts.can_fail = false;
    facts.required = CodePointSet::all();
  }
  if (!once) facts.anchored_start = facts.anchored_end = false;
  return facts;
}

RegexFacts of_look(const RegexNode& node) {
  const RegexFacts inner = facts_of(node.children[0]);
  RegexFacts facts = nothing_taken();
  facts.can_fail = true;
  if (!node.negative) facts.required = inner.required;
  facts.look_behind = inner.look_behind;
  if (node.behind) facts.look_behind += inner.max_width.value_or(0);
  facts.linear = inner.max_width.has_value() && inner.linear;
  return facts;
}

RegexFacts of_back_reference() {
  RegexFacts facts;
  facts.first = facts.last = facts.taken = facts.required = CodePointSet::all();
  facts.can_be_empty = true;
  facts.linear = false;
  return facts;
}

}  // namespace

RegexFacts facts_of(const RegexNode& node) {
  RegexFacts facts = nothing_taken();
  facts.can_fail = true;
  switch (node.kind) {
    case RegexKind::set:
      return of_set(node);
    case RegexKind::sequence:
      return of_sequence(node);
    case RegexKind::alternation:
      return of_alternation(node);
    case RegexKind::repeat:
      return of_repeat(node);
    case RegexKind::group:
    case RegexKind::atomic:
      return facts_of(node.children[0]);
    case RegexKind::look:
      return of_look(node);
    case RegexKind::back_reference:
      return of_back_reference();
    case RegexKind::word_boundary:
      facts.look_behind = 1;
      return facts;
    case RegexKind::line_start:
      facts.anchored_start = !node.multiline;
      return facts;
    case RegexKind::text_start:
      facts.anchored_start = true;
      return facts;
    case RegexKind::line_end:
      facts.anchored_end = !node.multiline;
      return facts;
    case RegexKind::text_end:
      facts.anchored_end = true;
      return facts;
  }
  return facts;
}

std::vector<RegexFacts> facts_of_alternatives(const RegexNode& root) {
  std::vector<RegexFacts> result;
  if (root.kind == RegexKind::group) return facts_of_alternatives(root.children[0]);
  if (root.kind == RegexKind::sequence && root.children.size() == 1) {
    return facts_of_alternatives(root.children[0]);
  }
  if (root.kind == RegexKind::alternation) {
    for (const RegexNode& child : root.children) result.push_back(facts_of(child));
  } else {
    result.push_back(facts_of(root));
  }
  return result;
}

}  // namespace weft
