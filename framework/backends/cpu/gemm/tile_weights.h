// The weights of a layer as the right factor of GEMMs on the tile unit, in the two orders in which
// these run.
#pragma once

#include <algorithm>
#include <cstdint>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/amx_panel.h"
#include "framework/backends/cpu/gemm/host_gemm.h"
#include "framework/backends/cpu/gemm/packed_weights.h"

namespace weft::cpu {

// Weights in panels, packed ahead for many rows.
class TileWeights {
 public:
  TileWeights(const Factor& weights, const WorkSharing& sharing)
      : format_(weights.format),
        columns_(weights.lines),
        depth_(weights.depth),
        tasks_(sharing.tasks),
        packed_(packed_weights(weights, tile_packing(weights), sharing)),
        panels_(static_cast<const std::uint32_t*>(packed_.data)) {}

  // c (count, columns) = a panel of rows times the weights, and the bias if there is one. Of few
  // blocks of rows the last one leaves threads idle: they take pieces of its columns.
  void multiply_rows(const Factor& rows, const float* bias, float* c) const {
    const ScratchArray<std::uint32_t> left(ScratchUse::left, panel_words());
    pack_tile_panel(rows, 0, 0, depth_, TileRows::lines, left);
    const auto multiply_piece = [&](std::size_t i) {
      const std::int64_t first = static_cast<std::int64_t>(i) * kPieceColumns;
      multiply_columns(left, rows.lines, first, std::min(kPieceColumns, columns_ - first), bias, c);
    };
    const std::int64_t pieces = (columns_ + kPieceColumns - 1) / kPieceColumns;
    run_tasks(tasks_for(rows.lines * columns_ * depth_, tasks_), static_cast<std::size_t>(pieces),
              multiply_piece);
  }

 private:
  static constexpr std::int64_t kPieceColumns = 3 * kPanelLines;

  std::int64_t panel_words() const { return steps_of(depth_) * step_words(format_); }

  // Columns [first, first + count) of c.
  void multiply_columns(const std::uint32_t* left, std::int64_t rows, std::int64_t first,
                        std::int64_t count, const float* bias, float* c) const {
    const Tiles tiles;
    for (std::int64_t j = first; j < first + count; j += kPanelLines) {
      multiply_panels(
          format_, left, panels_ + j / kPanelLines * panel_words(), steps_of(depth_),
          {c + j, columns_, rows, columns_ - j, bias == nullptr ? Start::zero : Start::bias,
           bias == nullptr ? nullptr : bias + j});
    }
  }

  NumberFormat format_;
  std::int64_t columns_, depth_;
  const TaskRunner* tasks_;
  PackedFactor packed_;
  const std::uint32_t* panels_;
};

// Weights for few rows, which wait in panels: panel by panel, each packed by the thread that then
// multiplies all rows by it, from its first cache. Packed ahead, weights would go to and fro
// between the caches, half of them between those of different cores, and this takes longer than to
// multiply few rows.
class TileColumns {
 public:
  TileColumns(const Factor& weights, const TaskRunner* tasks) : weights_(weights), tasks_(tasks) {}

  std::int64_t panel_words() const {
    return steps_of(weights_.depth) * step_words(weights_.format);
  }

  // Of up to 32 rows, which are to be number `panel` among panels of rows.
  void pack_rows(const Factor& rows, std::int64_t panel, std::uint32_t* left) const {
    pack_tile_panel(rows, 0, 0, weights_.depth, TileRows::lines, left + panel * panel_words());
  }

  // c (rows, columns) = rows times the weights, and the bias if there is one. Threads take columns.
  void multiply(const std::uint32_t* left, std::int64_t rows, const float* bias, float* c) const {
    const std::int64_t columns = weights_.lines;
    const auto multiply_panel = [&](std::size_t i) {
      const Tiles tiles;
      const std::int64_t column = static_cast<std::int64_t>(i) * kPanelLines;
      const ScratchArray<std::uint32_t> right(ScratchUse::right, panel_words());
      pack_tile_panel(weights_, column, 0, weights_.depth, TileRows::pairs, right);
      for (std::int64_t row = 0; row < rows; row += kPanelLines) {
        multiply_panels(weights_.format, left + row / kPanelLines * panel_words(), right,
                        steps_of(weights_.depth),
                        {c + row * columns + column, columns, rows - row, columns - column,
                         bias == nullptr ? Start::zero : Start::bias,
                         bias == nullptr ? nullptr : bias + column});
      }
    };
    run_tasks(tasks_for(rows * columns * weights_.depth, tasks_),
              static_cast<std::size_t>(panels_of(columns)), multiply_panel);
  }

 private:
  Factor weights_;
  const TaskRunner* tasks_;
};

}  // namespace weft::cpu
