// Sums over the rows of a matrix that is computed on the way, in an order that depends on its size
// alone. A block has some columns and a chunk of the rows, which its threads share; the sums of
// several chunks are a matrix again, whose rows are added up by the same kernel.
#pragma once

#include <algorithm>
#include <cstdint>

#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"

namespace weft::cuda {

// The threads that share a column take every kSharing-th row each; they are joined in pairs. Eight
// columns side by side are a sector of the device's memory.
template <class Term, class Total>
struct SumColumns {
  static constexpr int kColumns = 8, kSharing = 64, kThreadsOfBlock = kColumns * kSharing;

  Term term;
  std::int64_t rows, columns;
  std::int64_t chunk;  // of rows
  Total total;         // total(chunk, column, sum)

  WEFT_KERNEL void operator()(Block& block) const {
    float* sums = block.shared<float>(kThreadsOfBlock);
    const std::int64_t parts = divide_up(columns, kColumns);
    const std::int64_t number = block.index() / parts, first = block.index() % parts * kColumns;
    const std::int64_t begin = number * chunk;
    const std::int64_t end = begin + chunk < rows ? begin + chunk : rows;
    block.each([&](int thread) {
      const std::int64_t j = first + thread % kColumns;
      float sum = 0.0F;
      for (std::int64_t i = begin + thread / kColumns; i < end && j < columns; i += kSharing) {
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
      if (thread < kColumns && first + thread < columns) {
        total(number, first + thread, sums[thread]);
      }
    });
  }
};

template <class Term, class Total>
void launch_sums(DeviceStream& stream, std::int64_t rows, std::int64_t columns, std::int64_t chunk,
                 const Term& term, const Total& total) {
  using Sums = SumColumns<Term, Total>;
  const std::int64_t chunks = std::max<std::int64_t>(1, divide_up(rows, chunk));
  launch(stream, chunks * divide_up(columns, Sums::kColumns), Sums::kThreadsOfBlock,
         SharedSize().add<float>(Sums::kThreadsOfBlock), Sums{term, rows, columns, chunk, total});
}

struct PartialSums {
  F32 sums;  // (chunks, columns)
  WEFT_KERNEL void operator()(std::int64_t chunk, std::int64_t j, float sum) const {
    sums.store(chunk, j, sum);
  }
  WEFT_KERNEL float operator()(std::int64_t chunk, std::int64_t j) const {
    return sums.load(chunk, j);
  }
};

// Hands over the sums of the one chunk that there is.
template <class Total>
struct OnlyChunk {
  Total total;
  WEFT_KERNEL void operator()(std::int64_t, std::int64_t j, float sum) const { total(j, sum); }
};

// Calls total(j, sum over i of term(i, j)) for every column, on the device.
template <class Term, class Total>
void sum_columns(DeviceStream& stream, std::int64_t rows, std::int64_t columns, const Term& term,
                 const Total& total) {
  constexpr std::int64_t kRowsAtOnce = 2048, kRowsOfChunk = 1024;
  if (columns == 0) return;
  if (rows <= kRowsAtOnce) {
    return launch_sums(stream, rows, columns, kRowsAtOnce, term, OnlyChunk<Total>{total});
  }
  const std::int64_t chunks = divide_up(rows, kRowsOfChunk);
  const Scratch<float> memory(stream, chunks * columns);
  const PartialSums partial{{memory.data(), columns}};
  launch_sums(stream, rows, columns, kRowsOfChunk, term, partial);
  launch_sums(stream, chunks, columns, chunks, partial, OnlyChunk<Total>{total});
}

struct StoredTotal {
  Floats total;
  bool adds;  // to what is there
  WEFT_KERNEL void operator()(std::int64_t j, float sum) const {
    total.store(0, j, adds ? total.load(0, j) + sum : sum);
  }
};

// total[j] = beta total[j] + sum over i of term(i, j); beta is 0 or 1.
template <class Term>
void store_sums_of_columns(DeviceStream& stream, std::int64_t rows, std::int64_t columns,
                           const Term& term, View total, float beta) {
  if (rows == 0 && beta != 0.0F) return;
  sum_columns(stream, rows, columns, term, StoredTotal{floats(total), beta != 0.0F});
}

}  // namespace weft::cuda
