// Dynamic loss scaling: the scale, when it grows and falls, and what happens when it falls without
// end. One scaler serves a run; each optimizer reports on its own gradients and skips alone.
// Sources: docs/precision.md, "Loss scaling"; PyTorch's GradScaler; Apex's LossScaler.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/precision/loss_scaler_settings.h"
#include "registry/base/export.h"

namespace weft {

// The finding of one optimizer about the gradients of a step. One that sees `non_finite` does not
// step.
enum class GradientStatus : unsigned char {
  none,  // none of its parameters has a gradient
  finite,
  non_finite,
};

enum class StepResult : unsigned char {
  applied,
  skipped,  // at least one optimizer saw a non-finite gradient
  empty,    // no parameter has a gradient: counts as neither
};

struct ScaleUpdate {
  StepResult result = StepResult::applied;
  float scale_before = 1.0F;
  float scale_after = 1.0F;
  bool diverged = false;  // max_consecutive_skips has been reached
};

// State for checkpoints, from which the sequence goes on as if nothing had happened.
struct LossScalerState {
  float scale = 1.0F;
  int growth_tracker = 0;
  int skipped_in_a_row = 0;
  std::int64_t skipped_total = 0;
  std::int64_t applied_total = 0;
  std::vector<std::string> fallback_layers;

  bool operator==(const LossScalerState&) const = default;
};

class WEFT_API LossScaler {
 public:
  explicit LossScaler(const LossScalerSettings& settings);

  const LossScalerSettings& settings() const { return settings_; }
  const LossScalerState& state() const { return state_; }
  void restore(LossScalerState state) { state_ = std::move(state); }

  // The factor of losses' gradients, in f32, before any cast to 16 bits.
  float scale() const { return state_.scale; }

  // The factor that takes the scale out again: f32(1 / (f64(scale) * shares)), where `shares` is
  // the number of micro-batches, times that of ranks, over which the gradient is to be averaged.
  float inverse_scale(double shares = 1.0) const;

  // Ends a step: `optimizers` has one entry per optimizer. An overflow in any of them lowers the
  // scale once; a step without one counts towards growth.
  ScaleUpdate update(std::span<const GradientStatus> optimizers);

  // Ends a step whose unscaled loss was not finite: counted as skipped, the scale stays.
  void skip_for_loss();

  // Back to the initial scale, with a new count of skips in a row: after a fallback.
  void restart();

  // Remembers a layer that computes in f32 for the rest of the run.
  void add_fallback_layer(std::string layer);

 private:
  void grow();

  LossScalerSettings settings_;
  LossScalerState state_;
};

}  // namespace weft
