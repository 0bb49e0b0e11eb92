#include "framework/regex/analysis.h"

#include <algorithm>
#include <bitset>
#include <span>
#include <utility>

namespace weft {
namespace {

using Width = std::optional<std::size_t>;

// Arithmetic that stops at kMany: counts of nested repetitions multiply and would overflow.
std::size_t sum(std::size_t a, std::size_t b) {
  return b > RegexFacts::kMany - std::min(a, RegexFacts::kMany) ? RegexFacts::kMany : a + b;
}

std::size_t product(std::size_t a, std::size_t b) {
  return a != 0 && b > RegexFacts::kMany / a ? RegexFacts::kMany : a * b;
}

// A width that is past counting is none.
Width bounded(std::size_t width) {
  return width < RegexFacts::kMany ? Width(width) : std::nullopt;
}

Width plus(Width a, Width b) {
  return a && b ? bounded(sum(*a, *b)) : std::nullopt;
}

// Neither the character nor anything that folds to it is a letter.
bool is_caseless(const CodePointSet& set) {
  static const CodePointSet& caseless =
      *new CodePointSet(CodePointSet::of_category("P") | CodePointSet::of_category("Z") |
                        CodePointSet::of_category("Nd") | CodePointSet::of_category("Sm") |
                        CodePointSet::of_category("Sc") | CodePointSet::of_category("Sk"));
  return set.within(caseless);
}

// Upper bound of what a set takes when case is ignored.
CodePointSet folded(const CodePointSet& set) {
  if (is_caseless(set)) return set;
  std::bitset<0x80> ascii;
  for (const CodePointSet::Range range : set.ranges()) {
    for (char32_t c = range.first; c <= range.last && c < 0x80; ++c) ascii.set(c);
    if (range.last >= 0x80) break;
  }
  const bool beyond_ascii = !set.empty() && set.ranges().back().last >= 0x80;
  std::vector<CodePointSet::Range> ranges;
  for (char32_t c = 0; c < 0x80; ++c) {
    const bool upper = c >= U'A' && c <= U'Z', lower = c >= U'a' && c <= U'z';
    const char32_t other = upper ? c + 32 : lower ? c - 32 : c;
    // The long s and the Kelvin sign fold to ASCII letters, the dotted and dotless i to i.
    const bool from_outside =
        (c == U's' || c == U'S' || c == U'k' || c == U'K' || c == U'i' || c == U'I') &&
        beyond_ascii;
    if (ascii[c] || ascii[other] || from_outside) ranges.push_back({c, c});
  }
  ranges.push_back({0x80, CodePointSet::kLast});
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
  facts.items = 0;
  facts.can_be_empty = true;
  facts.can_fail = false;
  return facts;
}

RegexFacts of_set(const RegexNode& node) {
  const CodePointSet set = node.ignore_case ? folded(members(node)) : members(node);
  RegexFacts facts;
  facts.first = facts.last = facts.taken = facts.required = set;
  facts.max_width = 1;
  facts.items = items_of_class(node.set.ranges().size());
  return facts;
}

// The facts of two parts that follow each other, from those of each. Every field is a bound on the
// safe side: sets may be too large and `linear` may be false without need, never the other way.
void append(RegexFacts& facts, const RegexFacts& next) {
  if (facts.can_be_empty) facts.first = facts.first | next.first;
  facts.last = next.can_be_empty ? facts.last | next.last : next.last;
  facts.taken = facts.taken | next.taken;
  if (better_to_require(next.required, facts.required)) facts.required = next.required;
  facts.anchored_start |= next.anchored_start && facts.max_width == Width(0);
  facts.anchored_end = next.anchored_end || (facts.anchored_end && next.max_width == Width(0));
  // Where the part behind an unbounded one can fail, the latter was walked in vain.
  facts.linear &= next.linear && (facts.max_width.has_value() || !next.can_fail);
  facts.can_fail |= next.can_fail;
  facts.max_width = plus(facts.max_width, next.max_width);
  facts.items = sum(facts.items, next.items);
  facts.can_be_empty &= next.can_be_empty;
  facts.look_behind = std::max(facts.look_behind, next.look_behind);
}

// `(?<!X)Y+Z` with Y out of X and Z not out of Y: it is tried at the first of a run of Y only, so
// that no character is walked twice, and it fails at the end of the run or not at all.
bool starts_with_guarded_run(std::span<const RegexNode> parts) {
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

// Halves are joined and not one item after the other, here and in alternations: the union of many
// sets then takes time by their length and not by its square.
RegexFacts of_items(std::span<const RegexNode> items) {
  if (items.empty()) return nothing_taken();
  if (items.size() == 1) {
    RegexFacts facts = nothing_taken();
    append(facts, facts_of(items[0]));
    return facts;
  }
  RegexFacts facts = of_items(items.first(items.size() / 2));
  append(facts, of_items(items.subspan(items.size() / 2)));
  return facts;
}

RegexFacts of_sequence(std::span<const RegexNode> items) {
  if (!starts_with_guarded_run(items)) return of_items(items);
  RegexFacts facts = of_items(items.first(3));
  const RegexFacts rest = of_items(items.subspan(3));
  append(facts, rest);
  facts.linear = rest.linear;
  return facts;
}

// The facts of a choice: sets are united, and a property holds if it holds of both.
void add_alternative(RegexFacts& facts, const RegexFacts& other) {
  facts.first = facts.first | other.first;
  facts.last = facts.last | other.last;
  facts.taken = facts.taken | other.taken;
  facts.required = facts.required | other.required;
  facts.max_width = facts.max_width && other.max_width
                        ? Width(std::max(*facts.max_width, *other.max_width))
                        : std::nullopt;
  facts.items = std::max(facts.items, other.items);
  facts.can_be_empty |= other.can_be_empty;
  facts.look_behind = std::max(facts.look_behind, other.look_behind);
  facts.anchored_start &= other.anchored_start;
  facts.anchored_end &= other.anchored_end;
  facts.can_fail &= other.can_fail;
  facts.linear &= other.linear;
}

RegexFacts of_alternation(std::span<const RegexNode> alternatives) {
  if (alternatives.size() == 1) return facts_of(alternatives[0]);
  RegexFacts facts = of_alternation(alternatives.first(alternatives.size() / 2));
  add_alternative(facts, of_alternation(alternatives.subspan(alternatives.size() / 2)));
  return facts;
}

// A repetition without end stays linear as long as nothing behind it can fail, which `append` looks
// at: only then is it never walked again from a later place. One that needs two parts or more, each
// without bound, can fail by itself.
RegexFacts of_repeat(const RegexNode& node) {
  RegexFacts facts = facts_of(node.children[0]);
  const bool once = node.min == 1 && node.max == 1;
  if (node.max == RegexNode::kUnlimited) {
    facts.linear &= facts.max_width.has_value() || node.min <= 1;
    facts.max_width = facts.max_width == Width(0) ? Width(0) : std::nullopt;
  } else if (facts.max_width) {
    facts.max_width = bounded(product(*facts.max_width, node.max));
  }
  const bool counted = node.max != RegexNode::kUnlimited;
  facts.items = product(facts.items, std::max(counted ? node.max : node.min, 1U));
  if (node.min == 0) {
    facts.can_be_empty = true;
    facts.can_fail = false;
    facts.required = CodePointSet::all();
  }
  // An anchor in a repetition may belong to a turn that is left out.
  if (!once) facts.anchored_start = facts.anchored_end = false;
  return facts;
}

// A look-around takes nothing, but if it is a positive one the text must hold its characters. One
// without bounded width walks to the end of the text at each place.
RegexFacts of_look(const RegexNode& node) {
  const RegexFacts inner = facts_of(node.children[0]);
  RegexFacts facts = nothing_taken();
  facts.can_fail = true;
  if (!node.negative) facts.required = inner.required;
  facts.items = inner.items;
  facts.look_behind = inner.look_behind;
  if (node.behind) facts.look_behind += inner.max_width.value_or(0);
  facts.linear = inner.max_width.has_value() && inner.linear;
  return facts;
}

// It repeats whatever its group took: any characters, any number of them.
RegexFacts of_back_reference() {
  RegexFacts facts;
  facts.first = facts.last = facts.taken = facts.required = CodePointSet::all();
  facts.can_be_empty = true;
  facts.linear = false;
  return facts;
}

}  // namespace

// One larger than those of Unicode's categories is looked through range by range.
std::size_t items_of_class(std::size_t ranges) {
  constexpr std::size_t kMostUsual = 1024;
  return ranges > kMostUsual ? ranges : 1;
}

RegexFacts facts_of(const RegexNode& node) {
  RegexFacts facts = nothing_taken();
  facts.can_fail = true;
  switch (node.kind) {
    case RegexKind::set:
      return of_set(node);
    case RegexKind::sequence:
      return of_sequence(node.children);
    case RegexKind::alternation:
      return of_alternation(node.children);
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

namespace {

// The alternation that a sequence begins with, bare or in a group, or null.
const RegexNode* leading_alternation(const RegexNode& sequence) {
  if (sequence.kind != RegexKind::sequence || sequence.children.empty()) return nullptr;
  const RegexNode* first = &sequence.children[0];
  while (first->kind == RegexKind::group) first = &first->children[0];
  return first->kind == RegexKind::alternation ? first : nullptr;
}

// `(?:a|b)c` is `ac|bc`, whose alternatives tell more.
void add_facts(const RegexNode& alternative, std::vector<RegexFacts>& result) {
  const RegexNode* leading = leading_alternation(alternative);
  constexpr std::size_t kFew = 16, kMany = 1024;
  const RegexFacts whole = facts_of(alternative);
  if (leading == nullptr || leading->children.size() > kFew || result.size() > kMany) {
    return result.push_back(whole);
  }
  const RegexFacts rest = of_items(std::span(alternative.children).subspan(1));
  for (const RegexNode& choice : leading->children) {
    result.push_back(facts_of(choice));
    append(result.back(), rest);
    // Each choice might find another set; together these are more than the one for all.
    result.back().required = whole.required;
  }
}

}  // namespace

std::vector<RegexFacts> facts_of_alternatives(const RegexNode& root) {
  if (root.kind == RegexKind::group) return facts_of_alternatives(root.children[0]);
  if (root.kind == RegexKind::sequence && root.children.size() == 1) {
    return facts_of_alternatives(root.children[0]);
  }
  std::vector<RegexFacts> result;
  if (root.kind != RegexKind::alternation) {
    add_facts(root, result);
    return result;
  }
  // A set can have many ranges: neighbours share theirs where there are more alternatives.
  constexpr std::size_t kMost = 512;
  const std::span<const RegexNode> all = root.children;
  const std::size_t together = (all.size() + kMost - 1) / kMost;
  for (std::size_t i = 0; i < all.size(); i += together) {
    if (together == 1) {
      add_facts(all[i], result);
    } else {
      result.push_back(of_alternation(all.subspan(i, std::min(together, all.size() - i))));
    }
  }
  return result;
}

}  // namespace weft
