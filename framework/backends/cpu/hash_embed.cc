#include "framework/ops/hash_embed.h"

#include <algorithm>
#include <vector>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/vector_math.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// Each id picks four rows of the table by the words of one hash of 128 bits, and its vector is
// their sum: two ids that meet in one row still differ in the others, so a table of a few thousand
// rows serves any number of words. Serrà and Karatzoglou (2017), "Getting deep recommenders fit:
// Bloom embeddings for sparse input/output networks".
void hash_rows(Stream&, ConstView ids, std::uint32_t seed, std::int64_t table_rows, View rows) {
  const auto count = static_cast<std::uint32_t>(table_rows);
  auto* to = rows.as<std::int32_t>();
  for (std::int64_t i = 0; i < rows.dim(0); ++i) {
    const HashKeys keys = hash_keys(*ids.row<std::uint64_t>(i), seed);
    for (const std::uint32_t key : keys.key) *to++ = static_cast<std::int32_t>(key % count);
  }
}

// The sum is kept in f32 and rounded once.
void gather_cast_sum(ConstView table, ConstView rows, View y) {
  const std::int64_t d = y.cols();
  std::vector<float> sum(static_cast<std::size_t>(d)), row(static_cast<std::size_t>(d));
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    const std::int32_t* from = rows.row<std::int32_t>(i);
    cast_rows(table.slice(from[0], 1), {sum.data(), DType::f32, {d}});
    for (std::int64_t k = 1; k < rows.cols(); ++k) {
      cast_rows(table.slice(from[k], 1), {row.data(), DType::f32, {d}});
      add_to(sum.data(), row.data(), d);
    }
    cast_rows({sum.data(), DType::f32, {d}}, y.slice(i, 1));
  }
}

WEFT_CPU_CLONES void gather_f32_sum(ConstView table, ConstView rows, View y) {
  const std::int64_t d = y.cols();
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    const std::int32_t* from = rows.row<std::int32_t>(i);
    float* to = y.row<float>(i);
    std::copy_n(table.row<float>(from[0]), d, to);
    for (std::int64_t k = 1; k < rows.cols(); ++k) add_to(to, table.row<float>(from[k]), d);
  }
}

void gather_sum(Stream&, ConstView table, ConstView rows, View y) {
  const bool plain = table.dtype == DType::f32 && y.dtype == DType::f32;
  plain ? gather_f32_sum(table, rows, y) : gather_cast_sum(table, rows, y);
}

// Rows that are hit more than once, by one id or by several, get every gradient, in the order of
// the ids: one thread adds them all, so the sum has one order.
WEFT_CPU_CLONES void scatter_add_sum(Stream&, ConstView dy, ConstView rows, View d_table) {
  for (std::int64_t i = 0; i < dy.rows(); ++i) {
    const std::int32_t* to = rows.row<std::int32_t>(i);
    for (std::int64_t k = 0; k < rows.cols(); ++k) {
      add_to(d_table.row<float>(to[k]), dy.row<float>(i), dy.cols());
    }
  }
}

const KernelRegistration<HashRows> rows_kernel{DeviceKind::cpu, hash_rows};
const KernelRegistration<GatherSum> gather_kernel{DeviceKind::cpu, gather_sum};
const KernelRegistration<ScatterAddSum> scatter_kernel{DeviceKind::cpu, scatter_add_sum};

}  // namespace

}  // namespace weft
