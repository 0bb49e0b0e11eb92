// The names that a language's rule file defines, and the expressions that use them
// (docs/tokenizer.md, "Rule files").
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/regex/code_point_set.h"
#include "framework/text/rule_budget.h"

namespace weft {

// A set of characters; the shorthands of Python's `re` (\w, \d) stay what they are as long as
// nothing is taken away from them, which keeps patterns short.
struct RuleSet {
  CodePointSet points;
  std::string shorthands;  // "\\w", "\\d", "\\S"

  CodePointSet resolved() const;
};

class RuleNames {
 public:
  // Knows digit, decimal, word, visible. `budget` outlives it, and is charged for all that names
  // are replaced by.
  explicit RuleNames(RuleBudget& budget);
  RuleBudget& budget() const { return budget_; }

  // Each throws Error(config) for a wrong expression or a name that is taken; the caller adds the
  // place.
  void define_set(const std::string& name, std::string_view expression);
  // With `more` the words are added to a list that is there.
  void define_list(const std::string& name, std::vector<std::string> words, bool more = false);
  void define_pattern(const std::string& name, std::string_view expression);

  // The characters of an expression like `lower + digit - 'x'`.
  RuleSet set_of(std::string_view expression) const;
  // `expression` in the syntax of Python's `re`.
  std::string pattern_of(std::string_view expression) const;
  // The same of a whole entry: a pattern with what must stand around it.
  std::string entry_of(std::string_view entry) const;
  // The meaning of <name> in a pattern: a class, or a group that does not capture.
  std::string reference(std::string_view name) const;

  const RuleSet* find_set(std::string_view name) const;
  const std::vector<std::string>* find_list(std::string_view name) const;

 private:
  void check_new(const std::string& name) const;

  RuleBudget& budget_;
  std::map<std::string, RuleSet, std::less<>> sets_;
  std::map<std::string, std::vector<std::string>, std::less<>> lists_;
  std::map<std::string, std::string, std::less<>> patterns_;
};

}  // namespace weft
