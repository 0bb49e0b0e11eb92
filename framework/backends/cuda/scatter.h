// Sums of rows into the rows of a table that a list names, in an order that does not depend on how
// threads are scheduled.
//
// The list is sorted by the number of the row, equal ones in the order of the list. A block adds up
// a tile of kScatterTile entries; the part of a row that goes on over the end of a tile is kept
// aside and added by a second kernel, whose threads share the tiles of a row. Any one row may take
// most of the list.
#pragma once

#include <algorithm>
#include <cstdint>

#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/backends/cuda/sort.h"

namespace weft::cuda {

inline constexpr int kScatterTile = 16;

// Numbers of table rows, a matrix on the device.
struct RowElements {
  const std::int32_t* numbers = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t stride = 0;  // elements from one row to the next
};

// Table row numbers[i][k] += x row i, for all i and k; repeats count. `x` and `table` are f32, f16
// or bf16; sums are f32, and what a table row gets is rounded once.
void scatter_add(DeviceStream& stream, ConstView x, const RowElements& numbers, View table);

// The sorted list, and sums of entries of one key that began in an earlier tile (`carried`) or go
// on in the next (`open`): a row for each tile.
struct SortedList {
  const std::uint32_t* keys;
  const std::uint32_t* entries;
  std::int64_t count;
  std::int64_t width;  // of a sum
  float* carried;
  float* open;

  WEFT_KERNEL std::int64_t tile_end(std::int64_t tile) const {
    const std::int64_t end = (tile + 1) * kScatterTile;
    return end < count ? end : count;
  }
  // The key of the first entry was that of the entry before.
  WEFT_KERNEL bool is_carried(std::int64_t tile) const {
    const std::int64_t first = tile * kScatterTile;
    return first > 0 && keys[first - 1] == keys[first];
  }
  WEFT_KERNEL bool goes_on(std::int64_t tile) const {
    const std::int64_t end = tile_end(tile);
    return end < count && keys[end] == keys[end - 1];
  }
};

// `Rows` has load(entry, column), a number of what an entry adds, and add(key, column, sum).
template <class Rows>
struct AddTiles {
  SortedList list;
  Rows rows;

  WEFT_KERNEL void operator()(Block& block) const {
    block.each([&](int thread) {
      for (std::int64_t j = thread; j < list.width; j += block.threads()) {
        add_column(block.index(), j);
      }
    });
  }

  // All numbers of the column are asked for before the first is needed.
  WEFT_KERNEL void add_column(std::int64_t tile, std::int64_t j) const {
    const std::int64_t begin = tile * kScatterTile;
    const auto count = static_cast<int>(list.tile_end(tile) - begin);
    float numbers[kScatterTile];
    unrolled<kScatterTile>(
        [&](int e) { numbers[e] = e < count ? rows.load(list.entries[begin + e], j) : 0.0F; });
    float sum = 0.0F;
    bool carried = list.is_carried(tile);
    unrolled<kScatterTile>([&](int e) {
      if (e >= count) return;
      sum += numbers[e];
      const std::uint32_t key = list.keys[begin + e];
      const bool is_last = e + 1 == count;
      if (!is_last && list.keys[begin + e + 1] == key) return;
      if (carried) {
        list.carried[tile * list.width + j] = sum;
      } else if (is_last && list.goes_on(tile)) {
        list.open[tile * list.width + j] = sum;
      } else {
        rows.add(key, j, sum);
      }
      carried = false;
      sum = 0.0F;
    });
  }
};

// A block has some columns of the row that goes on behind one tile; the threads that share a column
// take every kSharing-th of the tiles that follow, and are joined in pairs.
template <class Rows>
struct JoinTiles {
  static constexpr int kColumns = 32, kSharing = 8, kThreadsOfBlock = kColumns * kSharing;

  SortedList list;
  Rows rows;
  std::int64_t tiles;

  WEFT_KERNEL void operator()(Block& block) const {
    float* sums = block.shared<float>(kThreadsOfBlock);
    const std::int64_t parts = divide_up(list.width, kColumns);
    const std::int64_t tile = block.index() / parts, first = block.index() % parts * kColumns;
    const std::uint32_t key = list.keys[list.tile_end(tile) - 1];
    const bool began_before = list.is_carried(tile) && list.keys[tile * kScatterTile] == key;
    if (!list.goes_on(tile) || began_before) return;
    const std::int64_t end = end_of_key(tile, key);
    block.each([&](int thread) {
      const std::int64_t j = first + thread % kColumns;
      float sum = 0.0F;
      for (std::int64_t t = tile + 1 + thread / kColumns; t < end && j < list.width;
           t += kSharing) {
        sum += list.carried[t * list.width + j];
      }
      sums[thread] = sum;
    });
    for (int apart = kSharing / 2; apart > 0; apart /= 2) {
      block.each([&](int thread) {
        if (thread < apart * kColumns) sums[thread] += sums[thread + apart * kColumns];
      });
    }
    block.each([&](int thread) {
      const std::int64_t j = first + thread;
      if (thread < kColumns && j < list.width) {
        rows.add(key, j, list.open[tile * list.width + j] + sums[thread]);
      }
    });
  }

  // The first tile behind `tile` that does not begin with the key, which the list is sorted by.
  WEFT_KERNEL std::int64_t end_of_key(std::int64_t tile, std::uint32_t key) const {
    std::int64_t low = tile + 1, high = tiles;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (list.keys[middle * kScatterTile] == key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

template <class Keys>
struct ListEntries {
  Keys key;
  std::uint32_t* keys;
  std::uint32_t* entries;
  WEFT_KERNEL void operator()(std::int64_t e) const {
    keys[e] = key(e);
    entries[e] = static_cast<std::uint32_t>(e);
  }
};

// Throws Error(device) for more entries than a list can have.
void check_entries(std::int64_t count);

// Adds up a list that `lister(keys, entries)`, a functor on the device, makes of `count` entries;
// it is called for `further` numbers more, which are its own affair. Keys are below 2^bits.
template <class MakeLister, class Rows>
void scatter_listed(DeviceStream& stream, std::int64_t count, int bits, std::int64_t width,
                    std::int64_t further, const MakeLister& lister, const Rows& rows) {
  check_entries(count);
  const std::int64_t tiles = divide_up(count, kScatterTile);
  const Scratch<std::uint32_t> lists(stream, 4 * count);
  const Scratch<float> partial(stream, 2 * tiles * width);
  std::uint32_t* keys = lists.data();
  const SortedPairs sorted{keys + 2 * count, keys + 3 * count};
  launch_elements(stream, count + further, lister(keys, keys + count));
  if (count == 0 || width == 0) return;
  sort_pairs(stream, keys, keys + count, count, bits, sorted);
  tell_queued(stream, Queued::sort, "in the sort of a table's rows");
  const SortedList list{sorted.keys, sorted.values,  count,
                        width,       partial.data(), partial.data() + tiles * width};
  const auto threads =
      static_cast<int>(std::min<std::int64_t>(kThreads, divide_up(width, 32) * 32));
  launch(stream, tiles, threads, {}, AddTiles<Rows>{list, rows});
  using Join = JoinTiles<Rows>;
  launch(stream, tiles * divide_up(width, Join::kColumns), Join::kThreadsOfBlock,
         SharedSize().add<float>(Join::kThreadsOfBlock), Join{list, rows, tiles});
}

// `keys_of` gives the key of each of `count` entries.
template <class Keys, class Rows>
void scatter_sorted(DeviceStream& stream, std::int64_t count, int bits, std::int64_t width,
                    const Keys& keys_of, const Rows& rows) {
  if (count == 0 || width == 0) return;
  scatter_listed(
      stream, count, bits, width, 0,
      [&](std::uint32_t* keys, std::uint32_t* entries) {
        return ListEntries<Keys>{keys_of, keys, entries};
      },
      rows);
}

}  // namespace weft::cuda
