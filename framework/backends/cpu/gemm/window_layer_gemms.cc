// The forward GEMMs of a layer whose rows are windows of three rows, on the vector unit: windows
// that follow each other go together, in tiles; see window_filter.h.
#include <algorithm>
#include <array>
#include <vector>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/layer_gemms.h"
#include "framework/backends/cpu/gemm/vector_panel.h"
#include "framework/backends/cpu/gemm/vector_weights.h"

namespace weft::cpu {

namespace {

// Tiles that are multiplied by a panel at once. Twice the rows that the vector unit takes: a panel
// is read from the second cache for the first of them alone, and their sums stay in the first.
constexpr std::int64_t kMostTiles = 16;
// Layers of fewer tiles are one block, where the weights are packed as a whole.
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

// The rows that a tile's windows see: as the table says, -1 where there are fewer than four
// windows.
std::array<std::int32_t, kRowsOfTile> rows_seen(const std::int32_t* seen, RowRange windows) {
  std::array<std::int32_t, kRowsOfTile> rows;
  rows.fill(-1);
  auto* to = rows.data();
  const std::int32_t* own = seen + windows.first * kRowsOfWindow;
  for (std::int64_t i = 0; i < windows.count; ++i, own += kRowsOfWindow) *to++ = own[0];
  std::copy_n(own - kRowsOfWindow + 1, kRowsOfWindow - 1, to);
  return rows;
}

// The same memory as three times the outputs: no other form of the weights has this name.
Factor name_of(const LayerFactors& f) {
  return {f.w, f.x.width, true, kRowsOfWindow * f.outputs, f.x.width};
}

class WindowForward final : public ForwardGemms {
 public:
  WindowForward(const VectorUnit& unit, const LayerFactors& factors, std::int64_t rows,
                const WorkSharing& sharing)
      : unit_(unit),
        f_(factors),
        tiles_(find_tiles(factors.x.seen, rows)),
        zeros_(static_cast<std::size_t>(factors.x.width)),
        weights_(name_of(factors), window_packing(unit, factors), goes_by_columns(rows, sharing),
                 sharing) {}

  // Tiles in pairs of blocks. Where the weights go by all rows are one.
  std::vector<RowRange> blocks() const override {
    const auto tiles = static_cast<std::int64_t>(tiles_.size()) - 1;
    std::int64_t size = kMostTiles;
    if (weights_.go_by()) {
      size = std::max<std::int64_t>(1, tiles);
    } else if (tiles >= kFewestTiles) {
      size = size_of_pairs(tiles, kMostTiles);
    }
    std::vector<RowRange> all = RowBlocks{{0, tiles}, size}.list();
    for (RowRange& block : all) block = windows_of(block.first, block.count);
    return all;
  }

  void forward(std::int64_t first, std::int64_t count, float* z) const override {
    const Block block = block_of(tile_at(first), tile_at(first + count));
    weights_.use_panels(
        [&](std::int64_t i, const float* panel) { multiply(block, panel, i * unit_.columns, z); });
  }

 private:
  // Tiles as they are computed: those of four windows first, as only these need the last part of
  // their factors. Part k of tile i is at factors + (k * tiles + i) * width.
  struct Block {
    std::vector<RowRange> tiles;  // the windows of each, counted from the block's first
    std::int64_t full;
    ScratchArray<float> factors;

    std::int64_t size() const { return static_cast<std::int64_t>(tiles.size()); }
  };

  RowRange windows_of(std::int64_t tile, std::int64_t count = 1) const {
    const std::int64_t* begins = tiles_.data() + tile;
    return {begins[0], begins[count] - begins[0]};
  }
  std::int64_t tile_at(std::int64_t row) const {
    return std::lower_bound(tiles_.begin(), tiles_.end(), row) - tiles_.begin();
  }

  Block block_of(std::int64_t tile, std::int64_t end) const {
    Block block{
        {}, 0, ScratchArray<float>(ScratchUse::left, (end - tile) * kRowsOfTile * f_.x.width)};
    for (std::int64_t i = tile; i < end; ++i) block.tiles.push_back(windows_of(i));
    const auto behind = std::stable_partition(
        block.tiles.begin(), block.tiles.end(),
        [](const RowRange& windows) { return windows.count == kWindowsOfTile; });
    block.full = behind - block.tiles.begin();
    float* to = block.factors;
    for (RowRange& windows : block.tiles) {
      filter(windows, block.size(), to);
      to += f_.x.width;
      windows.first -= windows_of(tile).first;
    }
    return block;
  }

  // Rows that lie in memory as they are multiplied are read there; others are converted before.
  void filter(RowRange windows, std::int64_t tiles, float* to) const {
    WideRows x = f_.x;
    const auto seen = rows_seen(f_.x.seen, windows);
    x.seen = seen.data();
    x.parts = 1;
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

  // Columns of z from `column` on, as many as a panel has.
  void multiply(const Block& block, const float* panel, std::int64_t column, float* z) const {
    const std::int64_t depth = f_.x.width;
    const std::int64_t columns = std::min(unit_.columns, f_.outputs - column);
    const ScratchArray<float> sums(ScratchUse::inputs, kRowsOfTile * kMostTiles * unit_.columns);
    const std::int64_t part_of_sums = kMostTiles * unit_.columns;
    for (std::int64_t tile = 0; tile < block.size(); tile += kMostTiles) {
      const std::int64_t tiles = std::min(kMostTiles, block.size() - tile);
      for (std::int64_t part = 0; part < kRowsOfTile; ++part) {
        const bool is_last = part + 1 == kRowsOfTile;
        unit_.multiply(
            {.a = block.factors + (part * block.size() + tile) * depth,
             .a_stride = depth,
             .rows = is_last ? std::clamp<std::int64_t>(block.full - tile, 0, tiles) : tiles,
             .depth = depth,
             .panel = panel + part * unit_.columns * depth,
             .c = sums + part * part_of_sums,
             .c_stride = unit_.columns,
             .columns = columns});
      }
      for (std::int64_t i = 0; i < tiles; ++i) {
        const RowRange windows = block.tiles[static_cast<std::size_t>(tile + i)];
        unit_.filter_sums({.sums = sums + i * unit_.columns,
                           .part = part_of_sums,
                           .bias = f_.bias + column,
                           .z = z + windows.first * f_.outputs + column,
                           .z_stride = f_.outputs,
                           .windows = windows.count,
                           .columns = columns});
      }
    }
  }

  const VectorUnit& unit_;
  LayerFactors f_;
  std::vector<std::int64_t> tiles_;  // where they begin, and the end of the last one
  std::vector<float> zeros_;         // a row
  VectorWeights weights_;
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
