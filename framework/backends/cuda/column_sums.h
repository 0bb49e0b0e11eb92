// Sums over the rows of a matrix that is computed on the way, in an order that depends on its size
// alone. A block has some columns, and threads that share their rows. Of more rows than a block is
// quick with, chunks one after the other, then the sums of the chunks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"

namespace weft::cuda {

inline constexpr std::int64_t kRowsOfChunk = 64;
// Up to which one kernel adds up all rows.
inline constexpr std::int64_t kRowsAtOnce = 4096;

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

template <class Total>
struct AddChunks {
  const float* partial;
  std::int64_t chunks, columns;
  Total total;
  WEFT_KERNEL void operator()(std::int64_t j) const {
    float sum = 0.0F;
    for (std::int64_t c = 0; c < chunks; ++c) sum += partial[c * columns + j];
    total(j, sum);
  }
};

// The threads that share a column take every kSharing-th row each; they are joined in pairs.
template <class Term, class Total>
struct SumColumns {
  static constexpr int kColumns = 32, kSharing = 16, kThreadsOfBlock = kColumns * kSharing;

  Term term;
  std::int64_t rows, columns;
  Total total;

  WEFT_KERNEL void operator()(Block& block) const {
    float* sums = block.shared<float>(kThreadsOfBlock);
    const std::int64_t first = block.index() * kColumns;
    block.each([&](int thread) {
      const std::int64_t j = first + thread % kColumns;
      float sum = 0.0F;
      for (std::int64_t i = thread / kColumns; i < rows && j < columns; i += kSharing) {
        sum += term(i, j);
      }
      sums[thread] = sum;
    });
    for (int apart = kSharing / 2; apart > 0; apart /= 2) {
      block.each([&](int thread) {
        if (thread < apart * kColumns) sums[thread] += sums[thread + apart * kColumns];
      });
    }
    block.each([&](int thread) {
      if (thread < kColumns && first + thread < columns) total(first + thread, sums[thread]);
    });
  }
};

// Calls total(j, sum over i of term(i, j)) for every column, on the device.
template <class Term, class Total>
void sum_columns(DeviceStream& stream, std::int64_t rows, std::int64_t columns, const Term& term,
                 const Total& total) {
  if (columns == 0) return;
  if (rows <= kRowsAtOnce) {
    using Sums = SumColumns<Term, Total>;
    return launch(stream, divide_up(columns, Sums::kColumns), Sums::kThreadsOfBlock,
                  SharedSize().add<float>(Sums::kThreadsOfBlock), Sums{term, rows, columns, total});
  }
  const std::int64_t chunks = divide_up(rows, kRowsOfChunk);
  const Scratch<float> partial(stream, chunks * columns);
  const auto threads =
      static_cast<int>(std::min<std::int64_t>(kThreads, divide_up(columns, 32) * 32));
  const std::int64_t parts = divide_up(columns, threads);
  launch(stream, chunks * parts, threads, {},
         SumChunks<Term>{term, rows, columns, parts, partial.data()});
  launch_elements(stream, columns, AddChunks<Total>{partial.data(), chunks, columns, total});
}

struct AddedTotal {
  Floats total;
  WEFT_KERNEL void operator()(std::int64_t j, float sum) const {
    total.store(0, j, total.load(0, j) + sum);
  }
};

// total[j] += sum over i of term(i, j).
template <class Term>
void add_sums_of_columns(DeviceStream& stream, std::int64_t rows, std::int64_t columns,
                         const Term& term, View total) {
  if (rows > 0) sum_columns(stream, rows, columns, term, AddedTotal{floats(total)});
}

}  // namespace weft::cuda
