// Texts in which some words are hidden from the network that shall predict them.
// Source: Devlin and others (2019); spaCy 3.8; docs/pretraining.md, "Masking".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "framework/text/doc.h"
#include "framework/training/pretraining/random_words.h"
#include "registry/base/export.h"

namespace weft {

struct MaskedTexts {
  std::vector<Doc> docs;             // of the words that the network sees
  std::vector<std::uint8_t> masked;  // of every token, over all documents
};

// Keys the draws: each depends on these and the number of the token in the batch.
struct MaskDraws {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::string_view site = "pretraining/mask";
};

// 15 of 100 tokens are masked: eight of ten become "[MASK]", one a random word, one stays. Tokens
// keep their spacing; their attributes are those of the words that stand there.
WEFT_API MaskedTexts mask_tokens(const std::vector<Doc>& docs, const RandomWords& words,
                                 const MaskDraws& draws);

// The documents with these words, one for each token of all documents. Throws Error(data) for an
// empty word.
WEFT_API std::vector<Doc> with_words(const std::vector<Doc>& docs,
                                     const std::vector<std::string>& words);

}  // namespace weft
