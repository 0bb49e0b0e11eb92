#include "framework/precision/loss_scaler.h"

#include <algorithm>
#include <cmath>

namespace weft {
namespace {

float initial_scale(const LossScalerSettings& settings) {
  if (!settings.dynamic) return static_cast<float>(settings.init_scale);
  const double bounded =
      std::min(std::max(settings.init_scale, settings.min_scale), settings.max_scale);
  return static_cast<float>(bounded);
}

// The product is taken in f64 and rounded once, as in PyTorch: with a factor of 1.0001 that is not
// what an f32 product gives.
float scaled_by(float scale, double factor) {
  return static_cast<float>(static_cast<double>(scale) * factor);
}

}  // namespace

LossScaler::LossScaler(const LossScalerSettings& settings) : settings_(settings) {
  state_.scale = initial_scale(settings);
}

float LossScaler::inverse_scale(double shares) const {
  return static_cast<float>(1.0 / (static_cast<double>(state_.scale) * shares));
}

// After Micikevicius et al. (2018), "Mixed precision training": on an overflow the step is left out
// and the scale falls; after `growth_interval` steps in a row without one it rises again.
ScaleUpdate LossScaler::update(std::span<const GradientStatus> optimizers) {
  const auto saw = [&](GradientStatus status) {
    return std::find(optimizers.begin(), optimizers.end(), status) != optimizers.end();
  };
  ScaleUpdate update;
  update.scale_before = state_.scale;
  if (saw(GradientStatus::non_finite)) {
    update.result = StepResult::skipped;
    ++state_.skipped_total;
    ++state_.skipped_in_a_row;
    state_.growth_tracker = 0;
    if (settings_.dynamic) {
      const float lower = scaled_by(state_.scale, settings_.backoff_factor);
      state_.scale = std::max(static_cast<float>(settings_.min_scale), lower);
    }
    // However small the scale, the gradients still overflow: the numbers themselves are too large.
    update.diverged = state_.skipped_in_a_row >= settings_.max_consecutive_skips;
  } else if (saw(GradientStatus::finite)) {
    ++state_.applied_total;
    state_.skipped_in_a_row = 0;
    if (settings_.dynamic) grow();
  } else {
    update.result = StepResult::empty;
  }
  update.scale_after = state_.scale;
  return update;
}

// PyTorch starts counting anew also when growth was refused because the result would be infinite.
void LossScaler::grow() {
  if (++state_.growth_tracker < settings_.growth_interval) return;
  state_.growth_tracker = 0;
  const float higher = scaled_by(state_.scale, settings_.growth_factor);
  if (!std::isfinite(higher)) return;
  state_.scale = std::min(static_cast<float>(settings_.max_scale), higher);
}

void LossScaler::skip_for_loss() {
  ++state_.skipped_total;
}

void LossScaler::restart() {
  state_.scale = initial_scale(settings_);
  state_.growth_tracker = 0;
  state_.skipped_in_a_row = 0;
}

void LossScaler::add_fallback_layer(std::string layer) {
  state_.fallback_layers.push_back(std::move(layer));
}

}  // namespace weft
