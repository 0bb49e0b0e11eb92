// Polish lemmas: a table for each part of speech, and prefixes that are no part of the lemma.
#include <optional>

#include "framework/lemmas/lemma_rule.h"
#include "framework/lemmas/noun_lemma.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

// The entry of what follows the prefix.
std::optional<std::string> without_prefix(const LemmaLookup* table, std::string_view word,
                                          std::string_view prefix) {
  if (table == nullptr || !word.starts_with(prefix)) return std::nullopt;
  const auto found = table->find(string_id(word.substr(prefix.size())));
  return found == table->end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::string polish_lemma(const LemmaTables& tables, const LemmaQuery& word) {
  const std::string lowered = lower(word.text);
  const LemmaLookup* table =
      tables.lookup("lemma_lookup_" + (word.pos == "propn" ? "noun" : word.pos));
  if (word.pos == "noun") return noun_lemma(table, word.text);
  if (word.pos == "adj") {
    for (const char* prefix : {"nienaj", "nie", "naj"}) {
      if (auto lemma = without_prefix(table, lowered, prefix)) return *lemma;
    }
    return lemma_or(table, lowered, lowered);
  }
  if (word.pos == "verb") {
    if (auto lemma = without_prefix(table, lowered, "nie")) return *lemma;
  }
  return lemma_or(table, word.pos == "propn" ? word.text : std::string_view(lowered), lowered);
}

}  // namespace weft
