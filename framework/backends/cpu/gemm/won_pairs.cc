#include "framework/backends/cpu/gemm/won_pairs.h"

#include <bit>

#include "framework/backends/cpu/gemm/interleaved_sums.h"

namespace weft::cpu {

#ifdef WEFT_HAS_AVX512
namespace {

constexpr int kMostSteps = static_cast<int>(kMostSumColumns / kPairColumns);
// Outputs ahead of which sums are fetched.
constexpr std::int64_t kOutputsAhead = 2;

// Adds two rows, times their numbers of d. Where `next_bits` is zero, so is the next row's number.
template <int kSteps>
WEFT_AVX512_BF16 [[gnu::always_inline]] inline void add_rows(const std::uint16_t* const* x,
                                                             const float* d, std::int64_t row,
                                                             std::int64_t next,
                                                             std::uint32_t next_bits,
                                                             InterleavedSums<kSteps>& sums) {
  const __m512bh factors = spread_pair(std::bit_cast<std::uint32_t>(d[row]),
                                       std::bit_cast<std::uint32_t>(d[next]) & next_bits);
  sums.add(factors, x[row], x[next]);
}

template <int kSteps>
WEFT_AVX512_BF16 [[gnu::always_inline]] inline void add_won(const WonPairs& s,
                                                            const WonOutput& output,
                                                            InterleavedSums<kSteps>& sums) {
#pragma GCC unroll 2
  for (std::size_t word = 0; word < 2; ++word) {
    const std::int64_t first = word == 0 ? 0 : s.second_word;
    std::uint64_t rows = output.won->words[word];
    const auto take = [&] {
      const std::int64_t row = first + std::countr_zero(rows);
      rows &= rows - 1;
      return row;
    };
    for (int left = std::popcount(rows); left > 1; left -= 2) {
      const std::int64_t row = take(), next = take();
      add_rows<kSteps>(s.x, output.d, row, next, 0xFFFFFFFFU, sums);
    }
    // The odd row is paired with itself, times zero: no row beyond those that won is read.
    if (rows == 0) continue;
    const std::int64_t row = take();
    add_rows<kSteps>(s.x, output.d, row, row, 0, sums);
  }
}

template <int kSteps>
WEFT_AVX512_BF16 void sum_outputs(const WonPairs& args) {
  // A copy, which stores to sums cannot change.
  const WonPairs s = args;
  const Order o = order();
  for (std::int64_t i = 0; i < s.groups * s.pieces; ++i) {
    const WonOutput output = won_output(s, i / s.pieces, i % s.pieces);
    if (i + kOutputsAhead < s.groups * s.pieces) {
      InterleavedSums<kSteps>::fetch(output.sums + kOutputsAhead * s.sums_stride);
    }
    InterleavedSums<kSteps> sums;
    sums.load(output.sums, o, s.is_uninitialised);
    add_won<kSteps>(s, output, sums);
    sums.store(output.sums, o);
  }
}

// The number of columns is a constant in the loops.
template <int kSteps = kMostSteps>
void sum_columns(const WonPairs& s) {
  if (s.columns == kSteps * kPairColumns) return sum_outputs<kSteps>(s);
  if constexpr (kSteps > 1) sum_columns<kSteps - 1>(s);
}

}  // namespace

void sum_won_pairs(const WonPairs& s) {
  sum_columns(s);
}

#else

void sum_won_pairs(const WonPairs&) {}

#endif

}  // namespace weft::cpu
