#include "framework/ops/hash_embed.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/base/row_pieces.h"
#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/vector_math.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// Numbers of a table that are added up by one task: some microseconds, mostly of waiting for
// memory.
constexpr std::int64_t kNumbersOfPiece = std::int64_t{1} << 13;

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

// sums row i = sum of rows i * each to (i + 1) * each of `rows`, in their order; rows of `width`.
WEFT_CPU_CLONES void add_up_rows(const float* rows, std::int64_t count, std::int64_t each,
                                 std::int64_t width, float* sums) {
  for (std::int64_t i = 0; i < count; ++i, sums += width) {
    std::copy_n(rows, width, sums);
    rows += width;
    for (std::int64_t k = 1; k < each; ++k, rows += width) add_to(sums, rows, width);
  }
}

// The sums are kept in f32 and rounded once. Rows of some ids are brought side by side first: a
// conversion of each row by itself would take longer than all the rest.
void gather_cast_sum(ConstView table, ConstView rows, View y) {
  constexpr std::int64_t numbers_at_once = 4096;  // they stay in the first cache
  const std::int64_t width = y.cols(), each = rows.cols();
  const std::int64_t of_one = std::max<std::int64_t>(1, width * each);
  const std::int64_t most = std::max<std::int64_t>(1, numbers_at_once / of_one);
  const cpu::ScratchArray<float> beside(cpu::ScratchUse::rows, most * each * width);
  const cpu::ScratchArray<float> wide(cpu::ScratchUse::converted, most * each * width);
  const cpu::ScratchArray<float> sums(cpu::ScratchUse::sums, most * width);
  const auto row_bytes = static_cast<std::size_t>(width) * size_of(table.dtype);
  for (std::int64_t i = 0; i < y.rows(); i += most) {
    const std::int64_t count = std::min(most, y.rows() - i);
    auto* to = reinterpret_cast<std::byte*>(static_cast<float*>(beside));
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int32_t* from = rows.row<std::int32_t>(i + j);
      for (std::int64_t k = 0; k < each; ++k, to += row_bytes) {
        std::memcpy(to, table.slice(from[k], 1).data, row_bytes);
      }
    }
    cast_rows({beside, table.dtype, {count * each, width}},
              {wide, DType::f32, {count * each, width}});
    add_up_rows(wide, count, each, width, sums);
    cast_rows({sums, DType::f32, {count, width}}, y.slice(i, count));
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

void gather_sum(Stream& stream, ConstView table, ConstView rows, View y) {
  const bool is_plain = table.dtype == DType::f32 && y.dtype == DType::f32;
  cpu::for_row_pieces(stream.tasks(), y.rows(), y.cols() * rows.cols(), kNumbersOfPiece,
                      [&](std::int64_t first, std::int64_t count) {
                        const ConstView some = rows.slice(first, count);
                        const View sums = y.slice(first, count);
                        is_plain ? gather_f32_sum(table, some, sums)
                                 : gather_cast_sum(table, some, sums);
                      });
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
