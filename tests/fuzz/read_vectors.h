// A folder of word vectors in which one file is any bytes.
#pragma once

#include "framework/tensor/tensor.h"
#include "framework/text/vectors_file.h"
#include "registry/base/error.h"
#include "tests/fuzz/fuzz_folder.h"

namespace weft::fuzz {

// Eight rows of two numbers, and the key of one of them.
inline void make_vectors(const FuzzFolder& folder) {
  write_vectors(Vectors(Tensor::zeros({8, 2}), {{7, 1}}), folder.path());
}

// Refused, or words can be looked up and the vectors can be written and read again.
inline void read_and_write_vectors(const FuzzFolder& folder) {
  static const FuzzFolder copy;
  try {
    const Vectors vectors = read_vectors(folder.path());
    for (const auto& [key, row] : vectors.keys()) (void)vectors.row_of(key);
    if (vectors.mode() == Vectors::Mode::floret && vectors.rows() > 0) {
      std::vector<std::int32_t> rows;
      vectors.append_rows("caf\xC3\xA9", rows);
    }
    write_vectors(vectors, copy.path());
  } catch (const Error&) {
    return;
  }
  (void)read_vectors(copy.path());
}

}  // namespace weft::fuzz
