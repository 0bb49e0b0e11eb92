#include "framework/training/table_step.h"

#include <algorithm>
#include <bit>
#include <thread>
#include <utility>

#include "framework/ops/kernel.h"
#include "framework/pipeline/worker_pool.h"

namespace weft {

bool can_wait(const Parameter& table, const OptimizerState& state, const RowGradient* gradient) {
  const Tensor& weights = table.value;
  if (!table.may_be_deferred || weights.shape().rank() != 2) return false;
  if (!state.mom1 || !state.mom2 || state.average) return false;
  if (gradient != nullptr && gradient->type() != DType::f32) return false;
  for (const Tensor* array : {&weights, &state.mom1, &state.mom2}) {
    if (array->dtype() != DType::f32) return false;
  }
  return gradient == nullptr ||
         static_cast<std::int64_t>(gradient->rows().size()) * 2 <= weights.dim(0);
}

void TableStep::begin(Arrays arrays, StepRule rule, const StepScalars& scalars,
                      std::span<const std::int32_t> touched) {
  change_all();
  arrays_ = std::move(arrays);
  kernel_ = rule == StepRule::adam ? kernel_of<AdamStep>(DeviceKind::cpu)
                                   : kernel_of<MomentumStep>(DeviceKind::cpu);
  scalars_ = scalars;
  width_ = arrays_.weights.dim(1);
  if (!stream_) stream_ = std::make_shared<Stream>();
  zeros_.resize(static_cast<std::size_t>(kRowsOfPiece * width_));
  const std::int64_t rows = arrays_.weights.dim(0);
  const auto pieces = static_cast<std::size_t>((rows + kRowsOfPiece - 1) / kRowsOfPiece);
  if (pieces != pieces_) {
    rows_ = std::make_unique<Piece[]>(pieces);
    pieces_ = pieces;
  }
  const auto mark = [&](std::int64_t row) {
    Piece& piece = rows_[static_cast<std::size_t>(row / kRowsOfPiece)];
    const auto bits = static_cast<Bits>(piece.claimed.load(std::memory_order_relaxed) |
                                        1U << (row % kRowsOfPiece));
    piece.claimed.store(bits, std::memory_order_relaxed);
    piece.changed.store(bits, std::memory_order_relaxed);
  };
  for (std::size_t i = 0; i < pieces; ++i) {
    rows_[i].claimed.store(0, std::memory_order_relaxed);
    rows_[i].changed.store(0, std::memory_order_relaxed);
  }
  for (const std::int32_t row : touched) mark(row);
  const auto end = static_cast<std::int64_t>(pieces) * kRowsOfPiece;
  for (std::int64_t row = rows; row < end; ++row) mark(row);
  waits_.store(true, std::memory_order_release);
}

void TableStep::change_rows(std::int64_t first, std::int64_t count, const float* gradient) const {
  const auto view = [&](const Tensor& array) {
    return View(const_cast<float*>(array.data<float>()) + first * width_, DType::f32,
                {count * width_});
  };
  const ConstView slopes(gradient, DType::f32, {count * width_});
  kernel_(*stream_, view(arrays_.weights), slopes, view(arrays_.mom1), view(arrays_.mom2),
          scalars_);
}

void TableStep::change_touched(std::span<const std::int32_t> rows, const float* gradient) const {
  for (std::size_t i = 0; i < rows.size(); ++i, gradient += width_) {
    change_rows(rows[i], 1, gradient);
  }
}

// Those that lie side by side together.
void TableStep::change_claimed(std::size_t piece, Bits mine) {
  unsigned left = mine;
  while (left != 0) {
    const int first = std::countr_zero(left), count = std::countr_one(left >> first);
    change_rows(static_cast<std::int64_t>(piece) * kRowsOfPiece + first, count, zeros_.data());
    left &= ~(((1U << count) - 1U) << first);
  }
  rows_[piece].changed.fetch_or(mine, std::memory_order_release);
}

void TableStep::change_piece(std::size_t piece) {
  const Bits before = rows_[piece].claimed.fetch_or(kAllRows, std::memory_order_relaxed);
  change_claimed(piece, static_cast<Bits>(~before));
}

void TableStep::change(std::span<const std::int32_t> rows) {
  if (!waits_.load(std::memory_order_acquire)) return;
  const FlushDenormals flush;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!waits(rows[i])) continue;
    const auto piece = static_cast<std::size_t>(rows[i] / kRowsOfPiece);
    const auto bit = static_cast<Bits>(1U << (rows[i] % kRowsOfPiece));
    if ((rows_[piece].claimed.fetch_or(bit, std::memory_order_relaxed) & bit) == 0) {
      change_claimed(piece, bit);
    } else {
      while (waits(rows[i])) std::this_thread::yield();
    }
  }
}

void TableStep::change_all() {
  if (!waits_.load(std::memory_order_acquire)) return;
  const FlushDenormals flush;
  for (std::size_t i = 0; i < pieces_; ++i) change_piece(i);
  // Those that other threads have at hand.
  for (std::size_t i = 0; i < pieces_; ++i) {
    while (rows_[i].changed.load(std::memory_order_acquire) != kAllRows) {
      std::this_thread::yield();
    }
  }
  waits_.store(false, std::memory_order_release);
}

}  // namespace weft
