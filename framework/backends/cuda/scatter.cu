#include <bit>
#include <limits>
#include <string>

#include "framework/backends/cuda/scatter.h"
#include "registry/base/error.h"

namespace weft::cuda {
namespace {

struct NumberOfEntry {
  RowElements list;
  WEFT_KERNEL std::uint32_t operator()(std::int64_t e) const {
    const std::int64_t row = e / list.columns;
    return static_cast<std::uint32_t>(list.numbers[row * list.stride + e - row * list.columns]);
  }
};

struct TableRows {
  Floats x, table;
  std::uint32_t columns;  // of the list: entry / columns is the row of x
  WEFT_KERNEL float load(std::uint32_t entry, std::int64_t j) const {
    return x.load(entry / columns, j);
  }
  // No other thread adds to this element: entries of one key were joined before.
  WEFT_KERNEL void add(std::uint32_t key, std::int64_t j, float sum) const {
    table.store(key, j, table.load(key, j) + sum);
  }
};

}  // namespace

void check_entries(std::int64_t count) {
  if (count <= std::numeric_limits<std::int32_t>::max()) return;
  throw Error(ErrorKind::device, "a batch has too many rows for the device: " +
                                     std::to_string(count) + "; use smaller batches");
}

void scatter_add(DeviceStream& stream, ConstView x, const RowElements& numbers, View table) {
  const int bits = std::bit_width(static_cast<std::uint64_t>(table.rows()));
  scatter_sorted(stream, numbers.rows * numbers.columns, bits, x.cols(), NumberOfEntry{numbers},
                 TableRows{floats(x), floats(table), static_cast<std::uint32_t>(numbers.columns)});
}

}  // namespace weft::cuda
