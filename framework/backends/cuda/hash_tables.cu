#include <bit>
#include <string>

#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/backends/cuda/scatter.h"
#include "framework/ops/dropout.h"
#include "framework/ops/hash_embed.h"
#include "framework/ops/hash_tables.h"
#include "registry/base/error.h"

namespace weft::cuda {
namespace {

constexpr int kKeys = 4;
constexpr int kMost = static_cast<int>(kMostHashTables);

struct Table {
  ConstF32 rows;
  std::uint32_t seed = 0, count = 1;  // of rows
  std::int64_t column = 0;
  ConstF32 mask;  // null: drawn, if anything is dropped
  RandomStream random = RandomStream(0, 0, 0);
  std::uint32_t threshold = 0;
  float kept = 1.0F;
  bool draws = false;

  WEFT_KERNEL HashKeys keys(std::uint64_t id) const {
    HashKeys keys = hash_keys(id, seed);
    for (std::uint32_t& key : keys.key) key %= count;
    return keys;
  }
  WEFT_KERNEL float factor(std::int64_t j) const {
    if (mask.data != nullptr) return mask.load(0, j);
    if (!draws) return 1.0F;
    const MaskPlace at = mask_place(static_cast<std::uint64_t>(j));
    return random.block(at.block)[static_cast<std::size_t>(at.word)] >= threshold ? kept : 0.0F;
  }
};

struct Tables {
  Table all[kMost];
  std::uint32_t width = 0;
  const std::uint64_t* ids = nullptr;
  std::int64_t ids_stride = 0;

  WEFT_KERNEL std::uint64_t id(std::int64_t i, const Table& of) const {
    return ids[i * ids_stride + of.column];
  }
};

Tables tables_of(std::span<const HashTable> tables, ConstView ids) {
  if (tables.size() > kMostHashTables) {
    throw Error(ErrorKind::internal, std::to_string(tables.size()) + " hash tables at once");
  }
  Tables placed;
  placed.width = static_cast<std::uint32_t>(tables.front().rows.cols());
  placed.ids = ids.as<std::uint64_t>();
  placed.ids_stride = ids.row_stride();
  Table* to = placed.all;
  for (const HashTable& table : tables) {
    to->rows = f32(table.rows);
    to->seed = table.seed;
    to->count = static_cast<std::uint32_t>(table.rows.rows());
    to->column = table.column;
    if (table.mask) to->mask = f32(table.mask);
    if (table.draws) {
      to->draws = true;
      to->random = table.draws->random;
      to->threshold = mask_threshold(table.draws->rate);
      to->kept = static_cast<float>(1.0 / (1.0 - table.draws->rate));
    }
    ++to;
  }
  return placed;
}

// A thread for each number of the result. The rows are added in the order of their keys, as on the
// CPU.
struct Vectors {
  Tables tables;
  F32 y, factors;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t column) const {
    const auto at = static_cast<std::uint32_t>(column);
    const std::uint32_t t = at / tables.width, j = at % tables.width;
    const Table& table = tables.all[t];
    const HashKeys keys = table.keys(tables.id(i, table));
    float sum = table.rows.load(keys.key[0], j);
    for (int k = 1; k < kKeys; ++k) sum += table.rows.load(keys.key[k], j);
    const float factor = table.factor(j);
    y.store(i, column, sum * factor);
    if (i == 0) factors.store(t, j, factor);
  }
};

// Where the gradients of the tables lie, and the first key of each: the keys of one table follow
// those of the one before.
struct Gradients {
  F32 rows[kMost];
  std::uint32_t first_key[kMost + 1] = {};
  bool zeroed[kMost] = {};
  int count = 0;

  WEFT_KERNEL int table_of(std::uint32_t key) const {
    int t = count - 1;
    while (first_key[t] > key) --t;
    return t;
  }
};

// The list that is sorted: entry e is key e % kKeys of table e / kKeys % tables for row
// e / (kKeys * tables). Behind it come the elements of tables that have to become zeros first.
struct ListAndZeros {
  Tables tables;
  Gradients gradients;
  std::int64_t entries;
  std::uint32_t* keys;
  std::uint32_t* numbers;

  WEFT_KERNEL void operator()(std::int64_t e) const {
    if (e >= entries) return clear(e - entries);
    const std::int64_t pair = e / kKeys;
    const auto t = static_cast<int>(pair % gradients.count);
    const Table& table = tables.all[t];
    const HashKeys found = table.keys(tables.id(pair / gradients.count, table));
    keys[e] = gradients.first_key[t] + found.key[e % kKeys];
    numbers[e] = static_cast<std::uint32_t>(e);
  }
  WEFT_KERNEL void clear(std::int64_t element) const {
    const auto key = static_cast<std::uint32_t>(element / tables.width);
    const int t = gradients.table_of(key);
    if (!gradients.zeroed[t]) return;
    gradients.rows[t].store(key - gradients.first_key[t], element % tables.width, 0.0F);
  }
};

struct TableRows {
  ConstF32 dy, factors;
  Gradients gradients;
  std::uint32_t width;

  WEFT_KERNEL float load(std::uint32_t entry, std::int64_t j) const {
    const std::uint32_t pair = entry / kKeys;
    const auto tables = static_cast<std::uint32_t>(gradients.count);
    const std::uint32_t t = pair % tables;
    return dy.load(pair / tables, t * width + j) * factors.load(t, j);
  }
  // No other thread adds to this element: entries of one key were joined before.
  WEFT_KERNEL void add(std::uint32_t key, std::int64_t j, float sum) const {
    const int t = gradients.table_of(key);
    const std::uint32_t row = key - gradients.first_key[t];
    gradients.rows[t].store(row, j, gradients.rows[t].load(row, j) + sum);
  }
};

void forward(Stream& stream, std::span<const HashTable> tables, ConstView ids, View y,
             View factors) {
  launch_matrix(device_stream(stream), y.rows(), y.cols(),
                Vectors{tables_of(tables, ids), f32(y), f32(factors)});
}

void backward(Stream& stream, std::span<const HashTable> tables, ConstView ids, ConstView factors,
              ConstView dy, std::span<const HashTableGradient> to) {
  const Tables placed = tables_of(tables, ids);
  Gradients gradients;
  std::uint32_t keys = 0;
  for (const HashTableGradient& one : to) {
    gradients.rows[gradients.count] = f32(one.rows);
    gradients.zeroed[gradients.count] = one.uninitialised;
    keys += static_cast<std::uint32_t>(one.rows.rows());
    gradients.first_key[++gradients.count] = keys;
  }
  const std::int64_t entries = dy.rows() * gradients.count * kKeys;
  const std::int64_t elements = std::int64_t{keys} * placed.width;
  scatter_listed(
      device_stream(stream), entries, std::bit_width(keys), placed.width, elements,
      [&](std::uint32_t* list, std::uint32_t* numbers) {
        return ListAndZeros{placed, gradients, entries, list, numbers};
      },
      TableRows{f32(dy), f32(factors), gradients, placed.width});
}

const KernelRegistration<HashTablesForward> forward_kernel{DeviceKind::cuda, forward};
const KernelRegistration<HashTablesBackward> backward_kernel{DeviceKind::cuda, backward};

}  // namespace
}  // namespace weft::cuda
