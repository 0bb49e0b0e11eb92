// Finds sequences of tokens by patterns of their attributes.
//
//   weft::Matcher matcher;
//   matcher.add("GREETING", *weft::parse_json(R"([[{"LOWER": "hello"}, {"IS_PUNCT": true}]])"));
//   for (const weft::TokenMatch& match : matcher.find(doc)) ...
//
// Patterns and results are those of spaCy 3.8 (docs/matching.md, https://spacy.io/api/matcher).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/matching/match_run.h"
#include "framework/matching/pattern_index.h"
#include "framework/matching/token_pattern.h"
#include "framework/tensor/object_pool.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Which of the matches of one key that share tokens are kept.
enum class Greedy {
  all,
  first,    // the one that starts first; of these the longest
  longest,  // the longest; of these the first
};

struct FindOptions {
  // Only these tokens are looked at, and starts and ends count from the first of them.
  std::optional<std::pair<int, int>> tokens = {};
  bool with_alignments = false;
  // Patterns may compare annotation that the document has not: they do not match.
  bool allow_missing = false;
};

// A matcher with all its patterns may be used by any number of threads at once.
class WEFT_API Matcher {
 public:
  // With `validate` patterns are checked more strictly when they are added.
  explicit Matcher(bool validate = true);
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;
  ~Matcher();

  // Adds patterns, each a list of tokens, to those of the key; `greedy` holds for all of them from
  // now on. Throws Error(data), and adds nothing, where one is not valid; the message names the
  // pattern, the token and the attribute.
  void add(const std::string& key, const Node& patterns, Greedy greedy = Greedy::all);

  // The matches in spaCy's order, which is that of the tokens at which they are found. Throws
  // Error(data) where a pattern compares tags, parts of speech, features, lemmas or dependency
  // labels and no token has any (see FindOptions), and where regular expressions or patterns use
  // their steps up (docs/limits.md).
  std::vector<TokenMatch> find(const Doc& doc, const FindOptions& options = {}) const;

  const std::vector<std::string>& keys() const;  // by TokenMatch::key
  std::size_t size() const;                      // patterns
  // Conditions of patterns that mean nothing, so that every token passes them; the first 20.
  const std::vector<std::string>& warnings() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The matches of which no two of the same key share a token, as each key's `greedy` says: first
// those of keys that keep all. `greedy` goes by key.
WEFT_API std::vector<TokenMatch> keep_greedy(std::vector<TokenMatch> matches,
                                             std::span<const Greedy> greedy);

}  // namespace weft
