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
  const std::int32_t* counts = nullptr;  // of each list; null: `count` for all
  std::int64_t count = 0;
  std::int64_t lists = 0;
  const Number* table = nullptr;
  float* sums = nullptr;  // added to, or written if they are fresh
  std::int64_t sums_stride = 0;
  std::int64_t columns = 0;  // a multiple of 16, of bf16 of 32, up to kMostSumColumns
  bool is_uninitialised = false;
};
using RowSums = TermSums<float>;

// For each output the rows of d that it won, (groups * pieces) lists.
struct WinnerLists {
  const float* d = nullptr;               // (rows, groups)
  const std::uint8_t* winners = nullptr;  // as d: a piece
  std::int64_t rows = 0, groups = 0, pieces = 0;
  std::int64_t row_stride = 0;  // of the table that terms speak of
  RowTerm* lists = nullptr;     // room for all rows and kTermsBehind each
  std::int64_t list_stride = 0;
  std::int32_t* counts = nullptr;
};
// Terms that the last store of a list may write beyond its end.
inline constexpr std::int64_t kTermsBehind = 8;

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
  void (*list_winners)(const WinnerLists& lists);
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
