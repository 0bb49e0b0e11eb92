// The forward GEMMs of a layer whose rows are windows of three rows, on the vector unit: windows
// that follow each other go together, in tiles; see window_filter.h.
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/layer_gemms.h"
#include "framework/backends/cpu/gemm/vector_panel.h"

namespace weft::cpu {

namespace {

// Tiles whose factors and sums stay in the second cache beside a panel. Twice the rows that the
// vector unit takes at once: a panel is read from the second cache for the first of them alone.
constexpr std::int64_t kMostTiles = 16;
// Layers of fewer tiles are one block.
constexpr std::int64_t kFewestTiles = 8;

// Whether window i sees the first two rows where the window before it sees its last two.
bool follows(const std::int32_t* seen, std::int64_t i) {
  const std::int32_t *own = seen + i * kRowsOfWindow, *before = own - kRowsOfWindow;
  return own[0] == before[1] && own[1] == before[2];
}

// Where the tiles of windows begin, and the end of the last one. A document's first window follows
// none: its tiles do not depend on the documents beside it, and its numbers do not either.
std::vector<std::int64_t> find_tiles(const std::int32_t* seen, std::int64_t windows) {
  std::vector<std::int64_t> tiles;
  tiles.reserve(static_cast<std::size_t>(windows / kWindowsOfTile + 1));
  for (std::int64_t i = 0; i < windows; ++i) {
    const bool is_full = !tiles.empty() && i - tiles.back() == kWindowsOfTile;
    if (i == 0 || is_full || !follows(seen, i)) tiles.push_back(i);
  }
  tiles.push_back(windows);
  return tiles;
}

// The rows that windows [first, end) see: as the table says, -1 where there are fewer than four.
std::array<std::int32_t, kRowsOfTile> rows_seen(const std::int32_t* seen, std::int64_t first,
                                                std::int64_t end) {
  std::array<std::int32_t, kRowsOfTile> rows;
  rows.fill(-1);
  auto* to = rows.data();
  for (std::int64_t i = first; i < end; ++i) *to++ = seen[i * kRowsOfWindow];
  const std::int32_t* last = seen + (end - 1) * kRowsOfWindow;
  std::copy_n(last + 1, kRowsOfWindow - 1, to);
  return rows;
}

class WindowForward final : public ForwardGemms {
 public:
  WindowForward(const VectorUnit& unit, const LayerFactors& factors, std::int64_t rows,
                const WorkSharing& sharing)
      : unit_(unit),
        f_(factors),
        tiles_(find_tiles(factors.x.seen, rows)),
        zeros_(static_cast<std::size_t>(factors.x.width)),
        packed_(packed_weights(key(), window_packing(unit, factors), sharing)) {}

  // An even number of blocks with about as many tiles each: two threads end together.
  std::vector<RowRange> blocks() const override {
    const auto tiles = static_cast<std::int64_t>(tiles_.size()) - 1;
    std::int64_t size = kMostTiles;
    if (tiles >= kFewestTiles) {
      const std::int64_t blocks = (tiles + 2 * kMostTiles - 1) / (2 * kMostTiles) * 2;
      size = (tiles + blocks - 1) / blocks;
    }
    std::vector<RowRange> all = RowBlocks{{0, tiles}, size}.list();
    for (RowRange& block : all) {
      const std::int64_t first = begin_of(block.first), end = begin_of(block.first + block.count);
      block = {first, end - first};
    }
    return all;
  }

  void forward(std::int64_t first, std::int64_t count, float* z) const override {
    const std::int64_t tile = tile_at(first), tiles = tile_at(first + count) - tile;
    const ScratchArray<float> rows(ScratchUse::left, tiles * kRowsOfTile * f_.x.width);
    filter(tile, tiles, rows);
    const std::int64_t part = tiles * unit_.columns;
    const ScratchArray<float> sums(ScratchUse::inputs, kRowsOfTile * part);
    for (std::int64_t j = 0; j < f_.outputs; j += unit_.columns) {
      const std::int64_t columns = std::min(unit_.columns, f_.outputs - j);
      multiply_tiles(rows, tiles, j, columns, sums);
      for (std::int64_t i = 0; i < tiles; ++i) {
        const std::int64_t row = begin_of(tile + i);
        unit_.filter_sums({.sums = sums + i * unit_.columns,
                           .part = part,
                           .bias = f_.bias + j,
                           .z = z + (row - first) * f_.outputs + j,
                           .z_stride = f_.outputs,
                           .windows = begin_of(tile + i + 1) - row,
                           .columns = columns});
      }
    }
  }

 private:
  // The same memory as three times the outputs: no other form of the weights has this name.
  Factor key() const { return {f_.w, f_.x.width, true, kRowsOfWindow * f_.outputs, f_.x.width}; }

  std::int64_t begin_of(std::int64_t tile) const { return tiles_[static_cast<std::size_t>(tile)]; }
  std::int64_t tile_at(std::int64_t row) const {
    return std::lower_bound(tiles_.begin(), tiles_.end(), row) - tiles_.begin();
  }

  // Rows that lie in memory as they are multiplied are read there; others are converted before.
  void filter(std::int64_t tile, std::int64_t tiles, float* to) const {
    WideRows x = f_.x;
    x.parts = 1;
    for (std::int64_t i = 0; i < tiles; ++i, to += x.width) {
      const auto seen = rows_seen(f_.x.seen, begin_of(tile + i), begin_of(tile + i + 1));
      x.seen = seen.data();
      StridedRows converted{};
      if (!x.are_plain()) converted = strided_rows(x, 0, kRowsOfTile);
      FilteredRows rows{.width = x.width, .to = to, .part = tiles * x.width};
      for (std::size_t k = 0; k < seen.size(); ++k) {
        rows.rows[k] = !x.are_plain() ? converted.data + static_cast<std::int64_t>(k) * x.width
                       : seen[k] < 0  ? zeros_.data()
                                      : x.numbers() + seen[k] * x.stride;
      }
      unit_.filter_rows(rows);
    }
  }

  // Of each part of the tiles' factors with that of the weights for columns [j, j + columns).
  void multiply_tiles(const float* rows, std::int64_t tiles, std::int64_t j, std::int64_t columns,
                      float* sums) const {
    const std::int64_t depth = f_.x.width;
    const float* panel = static_cast<const float*>(packed_.data) + j * kRowsOfTile * depth;
    for (std::int64_t part = 0; part < kRowsOfTile; ++part) {
      unit_.multiply({.a = rows + part * tiles * depth,
                      .a_stride = depth,
                      .rows = tiles,
                      .depth = depth,
                      .panel = panel + part * unit_.columns * depth,
                      .c = sums + part * tiles * unit_.columns,
                      .c_stride = unit_.columns,
                      .columns = columns});
    }
  }

  const VectorUnit& unit_;
  LayerFactors f_;
  std::vector<std::int64_t> tiles_;
  std::vector<float> zeros_;  // a row
  PackedFactor packed_;
};

}  // namespace

bool has_windows(const LayerFactors& factors) {
  return factors.x.seen != nullptr && factors.x.parts == kRowsOfWindow;
}

// The parts of the weights for a window's rows lie one behind the other in a panel, before the room
// for the other parts.
Packing window_packing(const VectorUnit& unit, const LayerFactors& factors) {
  return {static_cast<std::size_t>(unit.panels(factors.outputs)),
          static_cast<std::size_t>(kRowsOfTile * factors.x.width * unit.columns) * sizeof(float),
          [&unit, weights = forward_weights(factors)](std::int64_t i, void* to) {
            auto* panel = static_cast<float*>(to);
            pack_panel(weights, i * unit.columns, unit.columns, 0, weights.depth, panel);
            unit.filter_weights(panel, weights.depth / kRowsOfWindow * unit.columns);
          }};
}

std::unique_ptr<ForwardGemms> window_forward(const VectorUnit& unit, const LayerFactors& factors,
                                             std::int64_t rows, const WorkSharing& sharing) {
  return std::make_unique<WindowForward>(unit, factors, rows, sharing);
}

}  // namespace weft::cpu
