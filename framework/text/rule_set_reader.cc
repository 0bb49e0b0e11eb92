// Reads expressions of sets of characters in rule files: `lower + digit - 'x'`.
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/regex/code_point_set.h"
#include "framework/text/rule_budget.h"
#include "framework/text/rule_names.h"
#include "framework/text/rule_readers.h"
#include "framework/text/rule_scanner.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

CodePointSet characters_of(std::string_view text) {
  std::vector<CodePointSet::Range> ranges;
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = next_code_point(text, pos);
    ranges.push_back({c, c});
  }
  return CodePointSet(std::move(ranges));
}

// A set's size in memory and, about, in steps of an operation on it.
std::size_t cost_of(const CodePointSet& points) {
  return sizeof(RuleSet) + points.ranges().size() * sizeof(CodePointSet::Range);
}

// `more` holds shorthands of two characters; each stands in `to` once.
void add_shorthands(std::string& to, std::string_view more) {
  for (; !more.empty(); more.remove_prefix(2)) {
    if (to.find(more.substr(0, 2)) == std::string::npos) to += more.substr(0, 2);
  }
}

// Reads an expression of sets by recursive descent: terms are ranges, characters, categories, names
// and parentheses, joined by + - & without precedence.
class SetReader {
 public:
  SetReader(const RuleNames& names, std::string_view expression) : names_(names), in_(expression) {}

  RuleSet whole() {
    RuleSet set = sum();
    if (!in_.done()) in_.fail("something follows the set");
    return set;
  }

 private:
  // Left to right: `a + b - c & d` is ((a + b) - c) & d.
  RuleSet sum() {
    RuleSet left = term();
    while (true) {
      names_.budget().charge(cost_of(left.points));
      if (in_.take("+")) {
        const RuleSet right = term();
        left.points = left.points | right.points;
        add_shorthands(left.shorthands, right.shorthands);
      } else if (in_.take("-")) {
        // A difference has to know the members of shorthands, so these are written out from here
        // on.
        left = {left.resolved() - term().resolved(), ""};
      } else if (in_.take("&")) {
        left = {left.resolved() & term().resolved(), ""};
      } else {
        return left;
      }
    }
  }

  RuleSet term() {
    if (in_.take("(")) {
      const RuleDepth deeper(depth_);
      RuleSet inner = sum();
      if (!in_.take(")")) in_.fail("a parenthesis is not closed");
      return inner;
    }
    if (in_.take("\\p{")) return category(in_.until('}'));
    if (in_.take("U+")) return range_from(in_.code_point());
    if (in_.take("'")) return range_or_characters(in_.quoted('\''));
    return named(in_.name());
  }

  RuleSet category(std::string_view name) {
    RuleSet set{CodePointSet::of_category(name), ""};
    names_.budget().charge(cost_of(set.points));
    return set;
  }

  RuleSet range_or_characters(const std::string& text) {
    if (count_code_points(text) != 1) return {characters_of(text), ""};
    std::size_t pos = 0;
    return range_from(next_code_point(text, pos));
  }

  RuleSet range_from(char32_t first) {
    if (!in_.take("..")) return {CodePointSet::of(first), ""};
    char32_t last = 0;
    if (in_.take("U+")) {
      last = in_.code_point();
    } else if (in_.take("'")) {
      std::size_t pos = 0;
      last = next_code_point(in_.quoted('\'') + " ", pos);
    }
    if (last < first) in_.fail("a range needs a last character that is not before its first");
    return {CodePointSet({{first, last}}), ""};
  }

  RuleSet named(const std::string& name) {
    if (const RuleSet* set = names_.find_set(name)) {
      names_.budget().charge(cost_of(set->points));
      return *set;
    }
    const auto* list = names_.find_list(name);
    if (!list) in_.fail(fmt::format("no set or list is called {}", name));
    std::string characters;
    for (const std::string& word : *list) {
      names_.budget().charge(word.size() * sizeof(CodePointSet::Range));
      characters += word;
    }
    return {characters_of(characters), ""};
  }

  const RuleNames& names_;
  RuleScanner in_;
  int depth_ = 0;
};

}  // namespace

RuleSet read_rule_set(const RuleNames& names, std::string_view expression) {
  return SetReader(names, expression).whole();
}

}  // namespace weft
