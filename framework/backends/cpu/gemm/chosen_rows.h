// Sums over chosen rows of a table, each with a factor: the GEMM with a matrix of which most
// numbers are zeros. Sums stay in vector registers while the rows pass. Inlined into functions that
// are compiled for processors with such vectors, and never otherwise (see vector_block.h).
#pragma once

#include <cstdint>

#include "framework/backends/cpu/gemm/vector_block.h"

namespace weft::cpu {

// Columns that stand in registers at once are a multiple of these.
inline constexpr std::int64_t kColumnsOfStep = LongVectors::kLanes;
inline constexpr int kMostSteps = static_cast<int>(kMostSumColumns / kColumnsOfStep);
// Lists ahead of which sums are fetched.
inline constexpr std::int64_t kListsAhead = 2;

template <class V, int kVectors>
[[gnu::always_inline]] inline void sum_list(const RowSums& s, std::int64_t list, float* to) {
  auto* result = reinterpret_cast<typename V::InMemory*>(to);
  typename V::Vector sums[std::size_t{kVectors}] = {};
  if (!s.is_uninitialised) {
    for (int v = 0; v < kVectors; ++v) sums[v] = result[v].numbers;
  }
  const RowTerm* terms = s.terms + list * s.list_stride;
  for (std::int64_t k = 0; k < s.count; ++k) {
    const RowTerm term = terms[k];
    // Spread from where whole numbers are: a load would take the place of a load of the row.
    const typename V::Bits bits = typename V::Bits{} + static_cast<std::uint32_t>(term);
    const auto factor = reinterpret_cast<typename V::Vector>(bits);
    const auto* row = reinterpret_cast<const typename V::InMemory*>(s.table + (term >> 32));
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) sums[v] += factor * row[v].numbers;
  }
  for (int v = 0; v < kVectors; ++v) result[v].numbers = sums[v];
}

template <class V, int kSteps>
[[gnu::always_inline]] inline void sum_lists(const RowSums& s) {
  constexpr int kVectors = kSteps * static_cast<int>(kColumnsOfStep) / V::kLanes;
  float* to = s.sums;
  for (std::int64_t i = 0; i < s.lists; ++i, to += s.sums_stride) {
    for (int step = 0; step < kSteps && i + kListsAhead < s.lists; ++step) {
      __builtin_prefetch(to + kListsAhead * s.sums_stride + step * kColumnsOfStep, 1);
    }
    sum_list<V, kVectors>(s, i, to);
  }
}

// The number of columns is a constant in the loops.
template <class V, int kSteps = kMostSteps>
[[gnu::always_inline]] inline void sum_chosen_rows(const RowSums& s) {
  if (s.columns == kSteps * kColumnsOfStep) return sum_lists<V, kSteps>(s);
  if constexpr (kSteps > 1) sum_chosen_rows<V, kSteps - 1>(s);
}

}  // namespace weft::cpu
