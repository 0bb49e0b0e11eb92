// Hash embeddings: each id has four keys, and the sum of the four rows they choose is its vector.
// Svenstrup, Hansen, Winther (2017), "Hash embeddings for efficient word representations"; keys as
// in Thinc 8.3.
#pragma once

#include <cstdint>
#include <string_view>

#include "framework/ops/kernel.h"

namespace weft {

struct HashKeys {
  std::uint32_t key[4];
};

constexpr std::uint64_t rotate_left(std::uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

constexpr std::uint64_t finish_hash(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ h >> 33;
}

// MurmurHash3_x64_128 (A. Appleby) of the eight little-endian bytes of an id.
constexpr HashKeys hash_keys(std::uint64_t id, std::uint32_t seed) {
  std::uint64_t h1 = rotate_left(id * 0x87c37b91114253d5ULL, 31) * 0x4cf5ad432745937fULL;
  h1 ^= seed;
  h1 ^= 8;
  std::uint64_t h2 = std::uint64_t{seed} ^ 8;
  h1 += h2;
  h2 += h1;
  h1 = finish_hash(h1);
  h2 = finish_hash(h2);
  h1 += h2;
  h2 += h1;
  return {{static_cast<std::uint32_t>(h1), static_cast<std::uint32_t>(h1 >> 32),
           static_cast<std::uint32_t>(h2), static_cast<std::uint32_t>(h2 >> 32)}};
}

// rows (n, 4, i32) = keys of ids (n, u64) modulo the number of rows of a table.
struct HashRows {
  static constexpr std::string_view name = "hash_rows";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, ConstView ids, std::uint32_t seed, std::int64_t table_rows, View rows);
};

// y row i = sum of the rows that rows (n, k, i32) names, in their order.
struct GatherSum {
  static constexpr std::string_view name = "gather_sum";
  static constexpr Category category = Category::any;
  static constexpr FormatRule output_per_op = FormatRule::f32;
  static constexpr bool any_format = true;
  using Fn = void(Stream&, ConstView table, ConstView rows, View y);
};

// Every row of d_table that rows (n, k) names += dy row i; repeats count.
struct ScatterAddSum {
  static constexpr std::string_view name = "scatter_add_sum";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, ConstView dy, ConstView rows, View d_table);
};

}  // namespace weft
