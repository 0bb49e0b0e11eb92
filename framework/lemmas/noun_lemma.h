// Nouns of languages that have a table for each part of speech.
#pragma once

#include <string>
#include <string_view>

#include "framework/lemmas/lemma_tables.h"

namespace weft {

// A word with capitals is looked up in lower case first, and becomes that where nothing is found.
std::string noun_lemma(const LemmaLookup* table, std::string_view text);

}  // namespace weft
