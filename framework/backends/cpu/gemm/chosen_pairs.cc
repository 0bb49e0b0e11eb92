#include "framework/backends/cpu/gemm/chosen_pairs.h"

#include "framework/backends/cpu/gemm/interleaved_sums.h"

namespace weft::cpu {

#ifdef WEFT_HAS_AVX512
namespace {

constexpr int kMostSteps = static_cast<int>(kMostSumColumns / kPairColumns);
// Lists ahead of which sums are fetched.
constexpr std::int64_t kListsAhead = 2;

// A term holds the factor in its lower 32 bits and the offset of its row in the upper ones. A lane
// adds two terms at once.
template <int kSteps>
WEFT_AVX512_BF16 [[gnu::always_inline]] inline void add_pair(RowTerm first, RowTerm second,
                                                             const std::uint16_t* table,
                                                             InterleavedSums<kSteps>& sums) {
  const __m512bh factors =
      spread_pair(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second));
  sums.add(factors, table + (first >> 32), table + (second >> 32));
}

// The row of sums is put in the interleaved order once, takes up all terms of its list in
// registers, and is put back once.
template <int kSteps>
WEFT_AVX512_BF16 [[gnu::always_inline]] inline void sum_list(const PairSums& s, std::int64_t list,
                                                             const Order& o, float* to) {
  InterleavedSums<kSteps> sums;
  sums.load(to, o, s.is_uninitialised);
  const RowTerm* terms = s.terms + list * s.list_stride;
  std::int64_t k = 0;
  for (; k + 2 <= s.count; k += 2) add_pair<kSteps>(terms[k], terms[k + 1], s.table, sums);
  // The odd term is paired with itself, times zero: no row beyond the list is read.
  if (k < s.count) add_pair<kSteps>(terms[k], terms[k] & ~RowTerm{0xFFFFFFFFU}, s.table, sums);
  sums.store(to, o);
}

template <int kSteps>
WEFT_AVX512_BF16 void sum_lists(const PairSums& s) {
  const Order o = order();
  float* to = s.sums;
  for (std::int64_t i = 0; i < s.lists; ++i, to += s.sums_stride) {
    if (i + kListsAhead < s.lists) {
      InterleavedSums<kSteps>::fetch(to + kListsAhead * s.sums_stride);
    }
    sum_list<kSteps>(s, i, o, to);
  }
}

// The number of columns is a constant in the loops.
template <int kSteps = kMostSteps>
void sum_columns(const PairSums& s) {
  if (s.columns == kSteps * kPairColumns) return sum_lists<kSteps>(s);
  if constexpr (kSteps > 1) sum_columns<kSteps - 1>(s);
}

}  // namespace

void sum_pairs(const PairSums& s) {
  sum_columns(s);
}

#else

void sum_pairs(const PairSums&) {}

#endif

}  // namespace weft::cpu
