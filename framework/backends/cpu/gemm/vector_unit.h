// GEMMs of f32 matrices in the processor's vector registers (AVX-512, or AVX2 with FMA). A block
// of sums of eight rows (four) by three vectors stays in registers while the depth passes: numbers
// of a are spread over a vector one by one, those of b come from a panel, packed so that they
// follow each other. Goto and van de Geijn (2008), "Anatomy of high-performance matrix
// multiplication".
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "registry/base/export.h"

namespace weft::cpu {

// c (rows, columns) = start + a panel. Sums run over the depth in order, so that a row of c does
// not depend on the rows beside it.
struct PanelGemm {
  const float* a = nullptr;  // (rows, depth), or (depth, rows) if transposed
  std::int64_t a_stride = 0;
  bool transpose_a = false;
  std::int64_t rows = 0, depth = 0;
  const float* panel = nullptr;   // (depth, the unit's columns), contiguous; see vector_panel.h
  const float* start = nullptr;   // null: zeros. May be c
  std::int64_t start_stride = 0;  // 0: the same for all rows
  float* c = nullptr;
  std::int64_t c_stride = 0;
  std::int64_t columns = 0;  // up to the unit's
};

// Of sums that stay in registers together: six long vectors, or twelve short ones.
inline constexpr std::int64_t kMostSumColumns = 96;

// A row of a table, times a factor: the factor's bits, and above them where the row begins, in
// numbers. One number, as the processor reads such faster than two, and spreads it from there.
using RowTerm = std::uint64_t;
inline RowTerm row_term(float factor, std::int32_t offset) {
  return static_cast<RowTerm>(offset) << 32 | std::bit_cast<std::uint32_t>(factor);
}

// Row i of the sums is that of a list's terms, in order. Numbers of the table: f32, or the bits of
// bf16.
template <class Number>
struct TermSums {
  const RowTerm* terms = nullptr;  // list i from i * list_stride
  std::int64_t list_stride = 0;
  std::int64_t count = 0;  // of each list
  std::int64_t lists = 0;
  const Number* table = nullptr;
  float* sums = nullptr;  // added to, or written if they are fresh
  std::int64_t sums_stride = 0;
  std::int64_t columns = 0;  // a multiple of 16, of bf16 of 32, up to kMostSumColumns
  bool is_uninitialised = false;
};
using RowSums = TermSums<float>;

// Some of up to kMostWonRows rows, a bit for each. The second word begins with the row behind those
// of the first, which may be fewer than 64.
inline constexpr std::int64_t kRowsOfWord = 64, kMostWonRows = 2 * kRowsOfWord;
struct RowBits {
  std::uint64_t words[2] = {};
};

// A block of d and its winners, turned round: group by group.
struct TurnedWinners {
  const float* d = nullptr;               // (rows, groups)
  const std::uint8_t* winners = nullptr;  // as d: a piece
  std::int64_t rows = 0, groups = 0, pieces = 0;
  float* turned = nullptr;  // d of group j from j * turned_stride
  std::int64_t turned_stride = 0;
  // (groups * pieces): the bits of the rows that an output won are set, in this word and the next;
  // none is cleared.
  RowBits* won = nullptr;
  std::int64_t word = 0;
};

// Row i of the sums is that of the rows of x that output i won, times their numbers of d. Numbers
// of x: f32, or the bits of bf16. Its rows lie anywhere in memory.
template <class Number>
struct WonSums {
  const float* d = nullptr;  // turned
  std::int64_t d_stride = 0;
  const RowBits* won = nullptr;
  std::int64_t second_word = kRowsOfWord;  // the row that it begins with
  std::int64_t groups = 0, pieces = 0;
  const Number* const* x = nullptr;  // of each row the first column
  float* sums = nullptr;             // added to, or written if they are fresh
  std::int64_t sums_stride = 0;
  std::int64_t columns = 0;  // as above
  bool is_uninitialised = false;
};
using WonRows = WonSums<float>;

// An output's row of sums, the numbers of d that go with it, and the rows that it won.
struct WonOutput {
  float* sums;
  const float* d;
  const RowBits* won;
};
template <class Number>
[[gnu::always_inline]] inline WonOutput won_output(const WonSums<Number>& s, std::int64_t group,
                                                   std::int64_t piece) {
  const std::int64_t output = group * s.pieces + piece;
  return {s.sums + output * s.sums_stride, s.d + group * s.d_stride, s.won + output};
}

// A window tile: up to four windows of three rows that follow each other, and the six rows that
// they see. It takes six multiplications of a row by a part of the weights instead of twelve; see
// window_filter.h.
inline constexpr std::int64_t kWindowsOfTile = 4, kRowsOfTile = 6, kRowsOfWindow = 3;

// Part k of a tile's factors goes to to + k * part.
struct FilteredRows {
  const float* rows[kRowsOfTile] = {};
  std::int64_t width = 0;
  float* to = nullptr;
  std::int64_t part = 0;
};

// `windows` rows of z, from the sums of each part of those factors times that of the weights. The
// last part is for the fourth window alone, and not looked at without it.
struct FilteredSums {
  const float* sums = nullptr;  // part k at sums + k * part
  std::int64_t part = 0;
  const float* bias = nullptr;
  float* z = nullptr;
  std::int64_t z_stride = 0, windows = 0, columns = 0;
};

struct VectorUnit {
  const char* name;      // "AVX-512"
  std::int64_t columns;  // of a panel
  std::int64_t lanes;    // numbers of a vector: fewer columns take as long
  void (*multiply)(const PanelGemm& args);
  void (*sum_rows)(const RowSums& sums);
  void (*turn_winners)(const TurnedWinners& winners);
  void (*sum_won)(const WonRows& sums);
  void (*filter_rows)(const FilteredRows& tile);
  void (*filter_sums)(const FilteredSums& tile);
  // Of the weights, parts 0 to 2 as they are, to all six parts in place, `part` numbers each.
  void (*filter_weights)(float* parts, std::int64_t part);

  // Panels of so many columns in all.
  std::int64_t panels(std::int64_t all) const { return (all + columns - 1) / columns; }
};

// Those that the processor has, the best one first.
WEFT_API std::span<const VectorUnit> vector_units();

// The best one; null without any, or where OpenBLAS's kernels were chosen (OPENBLAS_CORETYPE).
WEFT_API const VectorUnit* vector_unit();

}  // namespace weft::cpu
