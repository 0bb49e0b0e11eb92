// Products of f32 matrices in the processor's vector registers (AVX-512, or AVX2 with FMA). A block
// of sums of eight rows (four) by three vectors stays in registers while the depth passes: numbers
// of a are spread over a vector one by one, those of b come from a panel, packed so that they
// follow each other. Goto and van de Geijn (2008), "Anatomy of high-performance matrix
// multiplication".
#pragma once

#include <cstdint>
#include <span>

#include "registry/export.h"

namespace weft::cpu {

// c (rows, columns) = start + a panel. Sums run over the depth in order, so that a row of c does
// not depend on the rows beside it.
struct PanelProduct {
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

// Row i of the sums is that over chosen rows of a table, each with a factor, in order.
struct RowSums {
  // Number k of list i at i * list_stride + k * step.
  const float* factors = nullptr;
  const std::int32_t* offsets = nullptr;  // of rows in the table, in numbers
  std::int64_t step = 1, list_stride = 0;
  const std::int32_t* counts = nullptr;  // of each list; null: `count` for all
  std::int64_t count = 0;
  std::int64_t lists = 0;
  const float* table = nullptr;
  float* sums = nullptr;  // added to, or written if they are fresh
  std::int64_t sums_stride = 0;
  std::int64_t columns = 0;  // a multiple of 16, up to kMostSumColumns
  bool is_fresh = false;
};

struct VectorUnit {
  const char* name;      // "AVX-512"
  std::int64_t columns;  // of a panel
  void (*multiply)(const PanelProduct& product);
  void (*sum_rows)(const RowSums& sums);

  // Panels of so many columns in all.
  std::int64_t panels(std::int64_t all) const { return (all + columns - 1) / columns; }
};

// Those that the processor has, the best one first.
WEFT_API std::span<const VectorUnit> vector_units();

// The best one; null without any, or where OpenBLAS's kernels were chosen (OPENBLAS_CORETYPE).
WEFT_API const VectorUnit* vector_unit();

}  // namespace weft::cpu
