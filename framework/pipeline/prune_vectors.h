// Fewer word vectors: the first rows stay, and every other word gets the most similar of them.
// Source: spaCy 3.8, `Vocab.prune_vectors`.
#pragma once

#include <cstdint>

#include "framework/text/vectors.h"
#include "registry/base/export.h"

namespace weft {

// Keeps the rows of the first `count` words, in the order of their rows (words that share a row: in
// the order of their keys), a row for each of them; `count` is at least 1. Other words go to the
// row of the highest cosine, the last one where several have it, as NumPy picks it. Throws
// Error(usage) for a table of hashed n-grams (floret), whose rows belong to no words.
WEFT_API Vectors prune_vectors(const Vectors& vectors, std::int64_t count);

}  // namespace weft
