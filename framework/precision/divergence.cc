#include "framework/precision/divergence.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft {

ClocksMoved clocks_moved(bool applied, OnSkip on_skip) {
  return {applied, applied || on_skip == OnSkip::advance};
}

std::string_view overflow_origin(std::span<const LayerGradients> layers) {
  const auto found = std::find_if(layers.rbegin(), layers.rend(), [](const LayerGradients& layer) {
    return layer.incoming_finite && !layer.outgoing_finite;
  });
  return found == layers.rend() ? std::string_view() : found->layer;
}

bool OverflowWatch::wants_replay(std::vector<std::string> parameters) {
  std::sort(parameters.begin(), parameters.end());
  const bool again = !parameters.empty() && parameters == last_;
  last_ = std::move(parameters);
  return again || always_;
}

bool LossWatch::must_stop(double loss) {
  in_a_row_ = std::isfinite(loss) ? 0 : in_a_row_ + 1;
  return in_a_row_ >= most_in_a_row;
}

DivergenceResponse respond_to_divergence(OnDivergence setting, LossScaler& scaler,
                                         const std::string& origin) {
  const int skips = scaler.state().skipped_in_a_row;
  const auto& fallen = scaler.state().fallback_layers;
  if (setting == OnDivergence::fallback_fp32) {
    scaler.restart();
    return {DivergenceAction::run_in_f32, "", notices::diverged(skips, "continuing at O0")};
  }
  const bool known = std::find(fallen.begin(), fallen.end(), origin) != fallen.end();
  if (setting == OnDivergence::stop || origin.empty() || known ||
      fallen.size() >= most_fallback_layers) {
    return {DivergenceAction::stop, "", notices::diverged(skips, "stopping")};
  }
  scaler.add_fallback_layer(origin);
  scaler.restart();
  return {DivergenceAction::layer_in_f32, origin,
          notices::diverged(skips, "layer " + origin + " continues in f32")};
}

}  // namespace weft
