// Lemmas of words by tables. Each function gives the lemma of one word.
// Source: spaCy 3.8, https://spacy.io/api/lemmatizer.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "framework/lemmas/lemma_tables.h"
#include "framework/lemmas/lemma_work.h"
#include "registry/base/export.h"

namespace weft {

struct LemmaQuery {
  std::string_view text;
  std::string pos;  // name in lower case; "" where there is none
  // Of the token, where a language asks for them.
  std::map<std::string, std::string> features = {};
  LemmaWork* work = nullptr;  // of the document, which the rules spend; null: without a bound

  // As those of LemmaWork.
  void pass() const {
    if (work != nullptr) work->pass();
  }
  void make(std::size_t bytes) const {
    if (work != nullptr) work->make(bytes);
  }
};

using Lemmatize = std::string(const LemmaTables& tables, const LemmaQuery& word);

// The table `lemma_lookup`, by the exact text; the text where it has none.
WEFT_API Lemmatize lemma_by_lookup;
// Endings that are replaced, exceptions before them. Throws as LemmaWork.
WEFT_API Lemmatize lemma_by_rules;

// Dutch looks words up in lower case, and has a way of its own with rules.
WEFT_API Lemmatize dutch_lemma_by_lookup;
WEFT_API Lemmatize dutch_lemma_by_rules;
// English words that are base forms by their features stay, in lower case.
WEFT_API Lemmatize english_lemma_by_rules;
// One table for each part of speech.
WEFT_API Lemmatize polish_lemma;
WEFT_API Lemmatize italian_lemma;

// The lemma of `text` in a table that may not be there, else `otherwise`.
WEFT_API std::string lemma_or(const LemmaLookup* table, std::string_view text,
                              std::string_view otherwise);

}  // namespace weft
