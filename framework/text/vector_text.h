// Word vectors as text: a word and its numbers on each line, as word2vec, GloVe, fastText and
// floret write them. Source: spaCy 3.8, `spacy.training.initialize.read_vectors`; checked against
// it by tests/spacy/same_vectors.py.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/io/file_limits.h"
#include "framework/io/input_lines.h"
#include "framework/tensor/tensor.h"
#include "framework/text/vectors.h"
#include "registry/base/export.h"

namespace weft {

struct VectorTextOptions {
  bool floret = false;        // the header has the settings of hashed n-grams
  std::int64_t truncate = 0;  // read the first N rows only; 0: all
};

// The contents of such a file, before rows and words are brought together.
struct VectorText {
  std::vector<std::string> words;  // of the rows, in their order; a word may be there twice
  Tensor table;                    // f32 (words, width)
  // The rows that the header or `truncate` names; may differ from those that are there.
  std::int64_t announced = 0;
  std::optional<FloretSettings> floret;
};

// Reads text, or the first file in an archive: .gz, .zst, .xz, .zip, .tar.gz by the ending of the
// name. Rows are split from the right, so that words may hold blanks. Memory is taken as rows come,
// within a ReadBudget. Throws Error(data) with file and line.
WEFT_API VectorText read_vector_text(const std::string& file, const VectorTextOptions& options);

// Opens such a file for its lines.
WEFT_API InputLines open_vector_lines(const std::string& file);

// A row for each word, the last one of a word that is there twice. Equal rows are stored once and
// are then sorted by their numbers, as are those of a file that has another number of rows than it
// announced; else they keep the order of the file.
WEFT_API Vectors vectors_by_word(const VectorText& text, Attr attr = Attr::orth);

// The same of a table whose rows have the given keys; rows without a key are left out.
WEFT_API Vectors unique_vectors(const Tensor& table, std::vector<Vectors::KeyRow> keys,
                                std::int64_t announced, Attr attr = Attr::orth);

}  // namespace weft
