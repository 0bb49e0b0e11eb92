// The loops of GEMMs in vector registers, for vectors of any length. Inlined into functions that
// are compiled for processors with such vectors, and never otherwise.
#pragma once

#include <algorithm>
#include <cstdint>

#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {

// A block of sums is held in vector registers: 24 of 32, or 12 of 16. In memory they may lie
// anywhere: packed, as compilers forget in templates how a mere alias is aligned.
struct LongVectors {
  static constexpr int kLanes = 16, kRows = 8;
  using Vector [[gnu::vector_size(64)]] = float;
  using Bits [[gnu::vector_size(64)]] = std::uint32_t;
  struct [[gnu::packed, gnu::may_alias]] InMemory {
    Vector numbers;
  };
};
struct ShortVectors {
  static constexpr int kLanes = 8, kRows = 4;
  using Vector [[gnu::vector_size(32)]] = float;
  using Bits [[gnu::vector_size(32)]] = std::uint32_t;
  struct [[gnu::packed, gnu::may_alias]] InMemory {
    Vector numbers;
  };
};

inline constexpr int kVectorsOfPanel = 3;
template <class V>
inline constexpr std::int64_t kColumnsOfPanel = kVectorsOfPanel* V::kLanes;

// Rows [first, first + kRows), the first kVectors vectors of the panel's columns.
template <class V, int kVectors, int kRows, bool kTransposed>
[[gnu::always_inline]] inline void multiply_block(const PanelGemm& p, std::int64_t first) {
  typename V::Vector sums[std::size_t{kRows}][std::size_t{kVectors}] = {};
  if (p.start != nullptr) {
    for (int i = 0; i < kRows; ++i) {
      const auto* from =
          reinterpret_cast<const typename V::InMemory*>(p.start + (first + i) * p.start_stride);
      for (int j = 0; j < kVectors; ++j) sums[i][j] = from[j].numbers;
    }
  }
  const float *a = p.a + first * (kTransposed ? 1 : p.a_stride), *panel = p.panel;
  for (std::int64_t d = 0; d < p.depth; ++d) {
    const auto* right = reinterpret_cast<const typename V::InMemory*>(panel);
    typename V::Vector b[std::size_t{kVectors}];
    for (int j = 0; j < kVectors; ++j) b[j] = right[j].numbers;
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) {
      const float left = a[kTransposed ? i : i * p.a_stride];
#pragma GCC unroll 3
      for (int j = 0; j < kVectors; ++j) sums[i][j] += left * b[j];
    }
    a += kTransposed ? p.a_stride : 1;
    panel += kColumnsOfPanel<V>;
  }
  for (int i = 0; i < kRows; ++i) {
    auto* to = reinterpret_cast<typename V::InMemory*>(p.c + (first + i) * p.c_stride);
    for (int j = 0; j < kVectors; ++j) to[j].numbers = sums[i][j];
  }
}

// The rows that are left, fewer than kRows + 1.
template <class V, int kVectors, int kRows, bool kTransposed>
[[gnu::always_inline]] inline void multiply_last_rows(const PanelGemm& p, std::int64_t first) {
  if constexpr (kRows > 0) {
    if (p.rows - first == kRows) {
      multiply_block<V, kVectors, kRows, kTransposed>(p, first);
    } else {
      multiply_last_rows<V, kVectors, kRows - 1, kTransposed>(p, first);
    }
  }
}

template <class V, int kVectors, bool kTransposed>
[[gnu::always_inline]] inline void multiply_vectors(const PanelGemm& p) {
  std::int64_t i = 0;
  for (; i + V::kRows <= p.rows; i += V::kRows) {
    multiply_block<V, kVectors, V::kRows, kTransposed>(p, i);
  }
  multiply_last_rows<V, kVectors, V::kRows - 1, kTransposed>(p, i);
}

// Columns that are not whole vectors: block by block beside c.
template <class V, int kVectors, bool kTransposed>
[[gnu::always_inline]] inline void multiply_parts_of_vectors(const PanelGemm& p) {
  constexpr std::int64_t kColumns = kVectors * V::kLanes;
  float block[V::kRows * kColumns] = {};
  for (std::int64_t i = 0; i < p.rows; i += V::kRows) {
    PanelGemm part = p;
    part.a += i * (kTransposed ? 1 : p.a_stride);
    part.rows = std::min<std::int64_t>(V::kRows, p.rows - i);
    part.c = block;
    part.c_stride = kColumns;
    if (p.start != nullptr) {
      for (std::int64_t k = 0; k < part.rows; ++k) {
        std::copy_n(p.start + (i + k) * p.start_stride, p.columns, block + k * kColumns);
      }
      part.start = block;
      part.start_stride = kColumns;
    }
    multiply_vectors<V, kVectors, kTransposed>(part);
    for (std::int64_t k = 0; k < part.rows; ++k) {
      std::copy_n(block + k * kColumns, p.columns, p.c + (i + k) * p.c_stride);
    }
  }
}

// Columns that kVectors hold, and fewer do not.
template <class V, int kVectors, bool kTransposed>
[[gnu::always_inline]] inline void multiply_columns(const PanelGemm& p) {
  if (p.columns == kVectors * V::kLanes) {
    multiply_vectors<V, kVectors, kTransposed>(p);
  } else {
    multiply_parts_of_vectors<V, kVectors, kTransposed>(p);
  }
}

}  // namespace weft::cpu
