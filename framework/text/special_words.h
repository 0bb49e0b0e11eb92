// The special cases of a language's rule file: words, norms and contractions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/rule_budget.h"
#include "framework/text/tokenizer_rules.h"

namespace weft {

// How the entries of a section are multiplied.
struct WordVariants {
  bool each_case = false;  // as it stands, with an upper-case first letter, all in upper case
  std::string from, to;    // an entry with `from` is added once more with `to` in its place
};

class SpecialWords {
 public:
  explicit SpecialWords(RuleBudget& budget) : budget_(budget) {}  // outlives it

  // Each takes one line; a later special case replaces an earlier one with the same text. They
  // throw Error(config) for a wrong line, or more than `budget` allows.
  void add_words(std::string_view line, const WordVariants& variants);  // WORD WORD …
  void add_norms(std::string_view line, const WordVariants& variants);  // NORM: WORD WORD …
  void add_contractions(std::string_view line, const WordVariants& variants);  // WORD … | PART PART
  // Sorted by text.
  std::vector<SpecialCase> cases() const;

 private:
  void add(std::vector<SpecialToken> tokens, const WordVariants& variants);
  void add_cases(const std::vector<SpecialToken>& tokens, bool each_case);
  void put(std::vector<SpecialToken> tokens);

  RuleBudget& budget_;
  std::map<std::string, std::vector<SpecialToken>> cases_;
};

}  // namespace weft
