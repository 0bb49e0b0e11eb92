// Several hash embeddings at once (hash_embed.h), side by side: what HashRows, GatherSum, Multiply
// and CopyRows do for each of them, and their backward passes. For devices, where each op is a
// launch; in f32.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "framework/ops/kernel.h"
#include "framework/ops/maxout_block.h"

namespace weft {

inline constexpr std::size_t kMostHashTables = 16;

// One of them: column `column` of the ids chooses its rows. Its vectors are multiplied by `mask`,
// one row, or by that of the draws; by neither where nothing is dropped.
struct HashTable {
  ConstView rows;  // (rows, width)
  std::uint32_t seed = 0;
  std::int64_t column = 0;
  ConstView mask = {};
  std::optional<DropoutDraws> draws = {};
};

// y (n, tables * width) from ids (n, columns, u64), for at most kMostHashTables tables of one
// width. `factors` (tables, width), f32, gets what the vectors were multiplied by, for the backward
// pass.
struct HashTablesForward {
  static constexpr std::string_view name = "hash_tables_forward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, std::span<const HashTable> tables, ConstView ids, View y, View factors);
};

// The gradient of a table (rows, width); it is added to, or written where its contents are
// undefined (uninitialised).
struct HashTableGradient {
  View rows;
  bool uninitialised = false;
};

// The gradients of all tables from dy (n, tables * width); repeats count.
struct HashTablesBackward {
  static constexpr std::string_view name = "hash_tables_backward";
  static constexpr Category category = Category::f32;
  using Fn = void(Stream&, std::span<const HashTable> tables, ConstView ids, ConstView factors,
                  ConstView dy, std::span<const HashTableGradient> gradients);
};

}  // namespace weft
