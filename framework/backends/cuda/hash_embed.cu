#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/backends/cuda/scatter.h"
#include "framework/ops/hash_embed.h"

namespace weft::cuda {
namespace {

struct RowsOfIds {
  const std::uint64_t* ids;
  std::int64_t ids_stride;
  std::uint32_t seed, table_rows;
  std::int32_t* rows;  // (n, 4)
  WEFT_KERNEL void operator()(std::int64_t i) const {
    const HashKeys keys = hash_keys(ids[i * ids_stride], seed);
    for (int k = 0; k < 4; ++k)
      rows[4 * i + k] = static_cast<std::int32_t>(keys.key[k] % table_rows);
  }
};

// A thread for each number of the result: the rows are added in the order of their keys, as on the
// CPU, in f32, and rounded once.
struct SumOfRows {
  Floats table, y;
  const std::int32_t* rows;
  std::int64_t rows_stride, keys;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    const std::int32_t* from = rows + i * rows_stride;
    float sum = table.load(from[0], j);
    for (std::int64_t k = 1; k < keys; ++k) sum += table.load(from[k], j);
    y.store(i, j, sum);
  }
};

void hash_rows(Stream& stream, ConstView ids, std::uint32_t seed, std::int64_t table_rows,
               View rows) {
  launch_elements(device_stream(stream), rows.dim(0),
                  RowsOfIds{ids.as<std::uint64_t>(), ids.row_stride(), seed,
                            static_cast<std::uint32_t>(table_rows), rows.as<std::int32_t>()});
}

void gather_sum(Stream& stream, ConstView table, ConstView rows, View y) {
  launch_matrix(
      device_stream(stream), y.rows(), y.cols(),
      SumOfRows{floats(table), floats(y), rows.as<std::int32_t>(), rows.row_stride(), rows.cols()});
}

// Frequent words hit their rows many times in a batch. The sorted sums of scatter.h give each row
// its gradients in the order of the list, where atomic additions would change the bytes between
// runs.
void scatter_sum(Stream& stream, ConstView dy, ConstView rows, View d_table) {
  scatter_add(device_stream(stream), dy,
              {rows.as<std::int32_t>(), dy.rows(), rows.cols(), rows.row_stride()}, d_table);
}

const KernelRegistration<HashRows> rows_kernel{DeviceKind::cuda, hash_rows, KernelFormats::any};
const KernelRegistration<GatherSum> gather_kernel{DeviceKind::cuda, gather_sum, KernelFormats::any};
const KernelRegistration<ScatterAddSum> scatter_kernel{DeviceKind::cuda, scatter_sum,
                                                       KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
