// Cuts text into tokens exactly as spaCy 3.8's tokenizer does with the same rules
// (docs/tokenizer.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "framework/text/tokenizer_rules.h"
#include "registry/base/export.h"

namespace weft {

class TokenTable;
class Vocab;

// A token as a place in the text.
struct TokenSpan {
  std::uint32_t begin = 0, length = 0;  // bytes
  std::uint32_t norm = 0;               // for Tokenizer::norm; 0 = the usual norm of its text
  bool space_after = false;             // U+0020 follows that belongs to no token
  bool operator==(const TokenSpan&) const = default;
};

struct TokenizedText {
  std::vector<TokenSpan> tokens;
  // The first token was put in by a special case over several tokens. spaCy then leaves its
  // sentence-start mark unset, while any other text's first token has it.
  bool first_replaced = false;
};

// The same with the attributes of the words.
struct TokenizedDoc {
  std::shared_ptr<const TokenTable> tokens;
  bool first_replaced = false;
};

// Thread-safe: any number of threads may call `tokenize` of one Tokenizer at once. A result is
// remembered for a bounded number of words, some 20 MB for each thread at work.
class WEFT_API Tokenizer {
 public:
  // Throws Error(data) that names the pattern or the special case that is wrong.
  explicit Tokenizer(TokenizerRules rules);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  const TokenizerRules& rules() const;

  // The tokens of `text`, UTF-8 of fewer than 2^30 code points, in order; with the spaces after
  // them they make up the text. Time grows with the length of the text. Throws Error(data) for
  // invalid UTF-8 with the byte's offset, for a text that is too long, and, naming the text's start
  // and the pattern, where matching takes more steps than a MatchBudget allows.
  TokenizedText tokenize(std::string_view text) const;
  // The same tokens with the attributes that `vocab` gives their words; the norms of special cases
  // are added to its strings. This is the faster of the two.
  TokenizedDoc tokenize(std::string_view text, const Vocab& vocab) const;

  // The text of a special case's own norm, by TokenSpan::norm (not 0).
  std::string_view norm(std::uint32_t index) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
