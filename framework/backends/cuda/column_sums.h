// Sums over the rows of a matrix that is computed on the way, in an order that depends on its size
// alone: chunks of rows one after the other, then the sums of the chunks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"

namespace weft::cuda {

inline constexpr std::int64_t kRowsOfChunk = 64;

template <class Term>
struct SumChunks {
  Term term;
  std::int64_t rows, columns;
  std::int64_t parts;  // of the columns, one for each block
  float* partial;      // (chunks, columns)

  WEFT_KERNEL void operator()(Block& block) const {
    const std::int64_t chunk = block.index() / parts;
    const std::int64_t first = chunk * kRowsOfChunk;
    const std::int64_t end = first + kRowsOfChunk < rows ? first + kRowsOfChunk : rows;
    block.each([&](int thread) {
      const std::int64_t j = block.index() % parts * block.threads() + thread;
      if (j >= columns) return;
      float sum = 0.0F;
      for (std::int64_t i = first; i < end; ++i) sum += term(i, j);
      partial[chunk * columns + j] = sum;
    });
  }
};

struct AddChunks {
  const float* partial;
  std::int64_t chunks, columns;
  Floats total;
  WEFT_KERNEL void operator()(std::int64_t j) const {
    float sum = 0.0F;
    for (std::int64_t c = 0; c < chunks; ++c) sum += partial[c * columns + j];
    total.store(0, j, total.load(0, j) + sum);
  }
};

// total[j] += sum over i of term(i, j).
template <class Term>
void add_sums_of_columns(DeviceStream& stream, std::int64_t rows, std::int64_t columns,
                         const Term& term, View total) {
  if (rows == 0 || columns == 0) return;
  const std::int64_t chunks = divide_up(rows, kRowsOfChunk);
  const Scratch<float> partial(stream, chunks * columns);
  const auto threads =
      static_cast<int>(std::min<std::int64_t>(kThreads, divide_up(columns, 32) * 32));
  const std::int64_t parts = divide_up(columns, threads);
  launch(stream, chunks * parts, threads, {},
         SumChunks<Term>{term, rows, columns, parts, partial.data()});
  launch_elements(stream, columns, AddChunks{partial.data(), chunks, columns, floats(total)});
}

}  // namespace weft::cuda
