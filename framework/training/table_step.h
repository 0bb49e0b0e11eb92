// The step of a table whose rows are changed one after the other, by several threads and in any
// order: first those that have a gradient, the rest some time before they are read. For the
// optimizer's own sources alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/nn/deferred_rows.h"
#include "framework/ops/optimizer_arrays.h"
#include "framework/ops/optimizer_step.h"
#include "framework/tensor/stream.h"
#include "framework/tensor/tensor.h"
#include "framework/training/optimizer.h"
#include "registry/base/export.h"

namespace weft {

// Whether rows without a gradient can be changed some time after those that have one: where its
// layer says so, of a table in f32 with two moments, where they are most rows and no average
// follows. Null: none has one.
WEFT_API bool can_wait(const Parameter& table, const OptimizerState& state,
                       const RowGradient* gradient);

class WEFT_API TableStep final : public DeferredRows {
 public:
  // Rows that are claimed at once, so that a piece of the usual width takes about a microsecond.
  static constexpr std::int64_t kRowsOfPiece = 16;

  // All (rows, width) in f32.
  struct Arrays {
    Tensor weights, mom1, mom2;
  };
  // Rows that still wait since the step before are changed first. `touched`: those that have a
  // gradient; they are left to `change_touched`.
  void begin(Arrays arrays, StepRule rule, const StepScalars& scalars,
             std::span<const std::int32_t> touched);
  // Some of them by their gradients, (rows, width).
  void change_touched(std::span<const std::int32_t> rows, const float* gradient) const;

  // Changes all rows, and forgets the arrays.
  void release() {
    change_all();
    arrays_ = {};
  }

  std::size_t pieces() const { return pieces_; }
  // The rows of a piece that nobody has claimed.
  void change_piece(std::size_t piece);
  void change(std::span<const std::int32_t> rows) override;
  void change_all() override;

 private:
  // A bit for each row of a piece.
  using Bits = std::uint16_t;
  static constexpr Bits kAllRows = 0xFFFF;
  static_assert(sizeof(Bits) * 8 == kRowsOfPiece);
  struct Piece {
    std::atomic<Bits> claimed = 0, changed = 0;
  };

  bool waits(std::int32_t row) const {
    const Piece& piece = rows_[static_cast<std::size_t>(row / kRowsOfPiece)];
    const unsigned changed = piece.changed.load(std::memory_order_acquire);
    return (changed >> (row % kRowsOfPiece) & 1U) == 0;
  }

  void change_rows(std::int64_t first, std::int64_t count, const float* gradient) const;
  void change_claimed(std::size_t piece, Bits mine);

  Arrays arrays_;
  AdamStep::Fn* kernel_ = nullptr;  // other rules with moments are of the same type
  StepScalars scalars_;
  std::shared_ptr<Stream> stream_;  // of the host
  std::int64_t width_ = 0;
  std::size_t pieces_ = 0;
  std::unique_ptr<Piece[]> rows_;
  std::vector<float> zeros_;  // a gradient, for the rows of a piece
  std::atomic<bool> waits_ = false;
};

}  // namespace weft
