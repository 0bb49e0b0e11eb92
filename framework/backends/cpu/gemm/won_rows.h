// The gradient of weights through maxout, from bits that tell which rows an output won. Groups go
// two at a time: for each two of their pieces the rows that both won, so that a row is loaded once
// for two sums, which stay in vector registers meanwhile. Inlined into functions that are compiled
// for processors with such vectors, and never otherwise (see vector_block.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "framework/backends/cpu/gemm/vector_block.h"

namespace weft::cpu {

// Of each group's sums: twelve of two groups, three vectors beside them, of sixteen registers.
inline constexpr int kWonVectors = 6;
template <class V>
inline constexpr std::int64_t kWonColumns = kWonVectors* V::kLanes;
// With more pieces hardly a row is won by two of them, and groups go one by one.
inline constexpr std::int64_t kMostPairedPieces = 4;

template <class V, int kVectors>
struct WonVectors {
  typename V::Vector numbers[std::size_t{kVectors}] = {};

  [[gnu::always_inline]] void load(const float* from) {
    const auto* in = reinterpret_cast<const typename V::InMemory*>(from);
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) numbers[v] = in[v].numbers;
  }
  [[gnu::always_inline]] void store(float* to) const {
    auto* out = reinterpret_cast<typename V::InMemory*>(to);
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) out[v].numbers = numbers[v];
  }
};

// GCC would load a vector again for each of its uses, as part of the instruction.
template <class Vector>
[[gnu::always_inline]] inline void keep_in_register([[maybe_unused]] Vector& vector) {
#ifndef __clang__
  __asm__("" : "+v"(vector));
#endif
}

// Adds the rows that all of the outputs won to the sums of each.
template <class V, int kVectors, std::size_t kOutputs>
[[gnu::always_inline]] inline void add_won(const WonRows& s, std::int64_t column,
                                           const WonOutput (&of)[kOutputs],
                                           WonVectors<V, kVectors> (&sums)[kOutputs]) {
#pragma GCC unroll 2
  for (std::size_t word = 0; word < 2; ++word) {
    const std::int64_t first = word == 0 ? 0 : s.second_word;
    std::uint64_t rows = of[0].won->words[word];
    if constexpr (kOutputs > 1) rows &= of[1].won->words[word];
    for (; rows != 0; rows &= rows - 1) {
      const std::int64_t i = first + std::countr_zero(rows);
      const auto* row = reinterpret_cast<const typename V::InMemory*>(s.x[i] + column);
      // Compilers would keep a place for each vector of a row instead of one for the row.
      __asm__("" : "+r"(row));
      float d[kOutputs];
#pragma GCC unroll 2
      for (std::size_t k = 0; k < kOutputs; ++k) d[k] = of[k].d[i];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        typename V::Vector number = row[v].numbers;
        keep_in_register(number);
#pragma GCC unroll 2
        for (std::size_t k = 0; k < kOutputs; ++k) sums[k].numbers[v] += d[k] * number;
      }
    }
  }
}

// Sums of an output ahead of those that are summed, one for each list. They come from far away:
// gradients of a model's weights fill the second cache.
template <class V, int kVectors>
[[gnu::always_inline]] inline void fetch_sums(const WonRows& s, std::int64_t output,
                                              std::int64_t column) {
  constexpr int kVectorsOfLine = LongVectors::kLanes / V::kLanes;
  if (output >= s.groups * s.pieces) return;
  const float* sums = s.sums + output * s.sums_stride + column;
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; v += kVectorsOfLine) __builtin_prefetch(sums + v * V::kLanes, 1);
}

// Columns [column, column + kVectors * V::kLanes) of all outputs. An output's sums take up rows in
// the order of the other group's pieces, and of the rows.
template <class V, int kVectors, bool kUninitialised>
[[gnu::always_inline]] inline void sum_won_columns(const WonRows& s, std::int64_t column) {
  const std::int64_t paired = s.pieces <= kMostPairedPieces ? s.groups / 2 * 2 : 0;
  WonVectors<V, kVectors> sums[2];
  for (std::int64_t group = 0; group < paired; group += 2) {
    std::int64_t ahead = (group + 2) * s.pieces;
    for (std::int64_t p = 0; p < s.pieces; ++p) {
      const WonOutput first = won_output(s, group, p);
      sums[0] = {};
      if (!kUninitialised) sums[0].load(first.sums + column);
      for (std::int64_t q = 0; q < s.pieces; ++q) {
        fetch_sums<V, kVectors>(s, ahead++, column);
        const WonOutput second = won_output(s, group + 1, q);
        sums[1] = {};
        if (!kUninitialised || p > 0) sums[1].load(second.sums + column);
        add_won<V, kVectors, 2>(s, column, {first, second}, sums);
        sums[1].store(second.sums + column);
      }
      sums[0].store(first.sums + column);
    }
  }
  for (std::int64_t i = paired * s.pieces; i < s.groups * s.pieces; ++i) {
    const WonOutput output = won_output(s, i / s.pieces, i % s.pieces);
    WonVectors<V, kVectors> only[1];
    if (!kUninitialised) only[0].load(output.sums + column);
    add_won<V, kVectors, 1>(s, column, {output}, only);
    only[0].store(output.sums + column);
  }
}

// The number of columns is a constant in the loops.
template <class V, int kVectors = kWonVectors>
[[gnu::always_inline]] inline void sum_won_block(const WonRows& s, std::int64_t column,
                                                 std::int64_t columns) {
  if (columns == kVectors * V::kLanes) {
    return s.is_uninitialised ? sum_won_columns<V, kVectors, true>(s, column)
                              : sum_won_columns<V, kVectors, false>(s, column);
  }
  if constexpr (kVectors > 1) sum_won_block<V, kVectors - 1>(s, column, columns);
}

template <class V>
[[gnu::always_inline]] inline void sum_won_rows(const WonRows& args) {
  // A copy, which stores to sums cannot change.
  const WonRows s = args;
  for (std::int64_t column = 0; column < s.columns; column += kWonColumns<V>) {
    sum_won_block<V>(s, column, std::min(kWonColumns<V>, s.columns - column));
  }
}

}  // namespace weft::cpu
