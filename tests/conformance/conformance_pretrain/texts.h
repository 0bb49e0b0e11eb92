// The texts and word vectors that records of pretraining share.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "framework/text/doc.h"
#include "framework/text/vectors.h"
#include "framework/text/vocab.h"

namespace weft::conformance {

// JSON lines with `words` and `spaces`.
std::vector<Doc> read_texts(const std::filesystem::path& file,
                            const std::shared_ptr<const Vocab>& vocab);

// word2vec's text format: a line "ROWS WIDTH", then a word and its numbers in each line.
std::shared_ptr<const Vectors> read_word_vectors(const std::filesystem::path& file,
                                                 const Vocab& vocab);

}  // namespace weft::conformance
