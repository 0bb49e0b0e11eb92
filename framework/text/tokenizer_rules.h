// The rules of a tokenizer: the content of spaCy's `tokenizer` file and of our own rule files.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weft {

// One token of a special case.
struct SpecialToken {
  std::string orth;
  std::optional<std::string> norm;
  // The keys the file used if they were names ("ORTH") and not the numbers 65 and 67; kept so that
  // writing gives back what was read.
  std::string orth_key = {}, norm_key = {};

  bool operator==(const SpecialToken&) const = default;
};

struct SpecialCase {
  std::string text;  // its tokens' texts, one after another
  std::vector<SpecialToken> tokens;

  bool operator==(const SpecialCase&) const = default;
};

// Patterns are in the syntax of Python's `re`; an absent one never matches.
struct TokenizerRules {
  std::optional<std::string> prefix_search = {};
  std::optional<std::string> suffix_search = {};
  std::optional<std::string> infix_finditer = {};
  std::optional<std::string> token_match = {};
  std::optional<std::string> url_match = {};
  std::vector<SpecialCase> special_cases = {};  // sorted by text
  bool faster_heuristics = true;
  // Of a tokenizer that has no file of rules, but a folder with settings: how it finds words.
  // "char": each character is one. Empty: by the rules above.
  std::string segmenter = {};

  bool operator==(const TokenizerRules&) const = default;
};

// Each character that is no white space is a token.
inline TokenizerRules character_rules() {
  return {.infix_finditer = "\\S", .segmenter = "char"};
}

}  // namespace weft
