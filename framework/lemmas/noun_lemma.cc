#include "framework/lemmas/noun_lemma.h"

#include "framework/lemmas/lemma_rule.h"
#include "framework/unicode/unicode.h"

namespace weft {

std::string noun_lemma(const LemmaLookup* table, std::string_view text) {
  const std::string lowered = lower(text);
  if (lowered == text) return lemma_or(table, text, text);
  return lemma_or(table, lowered, lemma_or(table, text, lowered));
}

}  // namespace weft
