// What all documents of a pipeline share: the string store and the attributes of word forms.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "framework/text/lexeme.h"
#include "framework/text/string_store.h"
#include "registry/export.h"

namespace weft {

// Memory is bounded, whatever is read: lexemes are kept in a cache of fixed size and computed anew
// when they have fallen out of it, and the texts of words belong to the documents.
// `lexeme`, `norm_of` and `strings` may be used by several threads at once; the setters belong to
// the time before.
class WEFT_API Vocab {
 public:
  // `lang`: the language code, which a saved pipeline names. `cache_size`: lexemes kept, rounded up
  // to a power of two; 64 bytes each.
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

  // The `lexeme_norm` table of a pipeline: norms by the id of the word; goes before the base norms.
  using Norms = std::unordered_map<StringId, std::string>;
  void set_lexeme_norms(Norms norms);
  const Norms& lexeme_norms() const { return lexeme_norms_; }

  // The words of which is_stop is true, in lower case.
  void set_stop_words(std::unordered_set<std::string> words);
  // Words (lower case) that are like numbers in this language, "twenty".
  void set_number_words(std::unordered_set<std::string> words);

 private:
  class Cache;
  Lexeme compute(std::string_view word, StringId orth) const;

  std::string lang_;
  mutable StringStore strings_;
  Norms lexeme_norms_;
  std::unordered_set<std::string> stop_words_;
  std::unordered_set<std::string> number_words_;
  std::unique_ptr<Cache> cache_;
};

}  // namespace weft
