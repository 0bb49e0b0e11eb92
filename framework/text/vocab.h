// The vocabulary that all documents of a pipeline share: the string store and the attributes of
// word forms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "framework/text/lexeme.h"
#include "framework/text/lookups.h"
#include "framework/text/string_store.h"
#include "framework/text/word_norms.h"
#include "registry/base/export.h"

namespace weft {

class Vectors;

// Memory is bounded, whatever is read: lexemes are kept in a cache of bounded size and computed
// anew when they have fallen out of it, and the texts of words belong to the documents. `lexeme`,
// `norm_of` and `strings` may be used by several threads at once; the setters belong to the time
// before.
class WEFT_API Vocab {
 public:
  // `lang`: the language code, which a saved pipeline names. `cache_size`: most lexemes kept,
  // rounded up to a power of two; 64 bytes each.
  explicit Vocab(std::string lang = "xx", std::size_t cache_size = std::size_t{1} << 17);
  ~Vocab();
  Vocab(const Vocab&) = delete;
  Vocab& operator=(const Vocab&) = delete;

  const std::string& lang() const { return lang_; }
  // Adding a name changes nothing that anybody has read, hence const.
  StringStore& strings() const { return strings_; }

  // The attributes of a word. Throws Error(data) if it is not valid UTF-8 or empty.
  Lexeme lexeme(std::string_view word) const { return lexeme(word, string_id(word)); }
  // Where the id of the word is known already.
  Lexeme lexeme(std::string_view word, StringId orth) const;

  // The text behind Lexeme::norm.
  std::string norm_of(std::string_view word) const;

  // Another number for every vocab, and a new one whenever what `lexeme` gives may have changed:
  // for those who keep lexemes.
  std::uint64_t edition() const { return edition_; }

  // The lookup tables of a pipeline. The norms among them go before the base norms. Throws
  // Error(data) where those are damaged.
  void set_lookups(Lookups lookups);
  const Lookups& lookups() const { return lookups_; }

  // The word vectors; a table without rows where there are none.
  const Vectors& vectors() const { return *vectors_; }
  void set_vectors(std::shared_ptr<const Vectors> vectors) { vectors_ = std::move(vectors); }

  // The words of which is_stop is true, in lower case.
  void set_stop_words(std::unordered_set<std::string> words);
  // Words (lower case) that are like numbers in this language, "twenty".
  void set_number_words(std::unordered_set<std::string> words);
  // The rules for norms of this language, for words that are not in the base table; empty where it
  // has none.
  void set_word_norms(WordNorms norms);

 private:
  class Cache;
  void forget_lexemes();
  Lexeme compute(std::string_view word, StringId orth) const;

  std::string lang_;
  mutable StringStore strings_;
  Lookups lookups_;
  Lookups::Norms lexeme_norms_;
  std::shared_ptr<const Vectors> vectors_;
  std::unordered_set<std::string> stop_words_;
  std::unordered_set<std::string> number_words_;
  WordNorms word_norms_;
  std::unique_ptr<Cache> cache_;
  std::uint64_t edition_;
};

}  // namespace weft
