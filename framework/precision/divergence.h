// The handling of a step that went wrong: the clocks that move, the report that names parameter and
// layer, and the way out when skips do not end.
// Source: docs/precision.md, "Counters that advance", "Overflow reports".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/precision/loss_scaler.h"
#include "framework/precision/notice.h"
#include "framework/precision/precision_settings.h"
#include "registry/base/export.h"

namespace weft {

// Which clocks a step moves. Iterations, `max_steps`, epochs, the reader, words seen, batch-size
// and dropout schedules, the evaluation and patience clocks and random streams always move.
struct ClocksMoved {
  bool optimizer = true;  // t, the counters of bias correction, averages and their decay
  bool schedules = true;  // of learning rate, L2, eps and betas
};
WEFT_API ClocksMoved clocks_moved(bool applied, OnSkip on_skip);

// A layer of a checked backward pass.
struct LayerGradients {
  std::string_view layer;
  bool incoming_finite = true;  // gradient with respect to the layer's output
  bool outgoing_finite = true;  // ... to its inputs and parameters
};

// Where an overflow arose: the latest layer, in forward order, that was given a finite gradient and
// made a non-finite one; "" if there is none. `layers` is in forward order.
WEFT_API std::string_view overflow_origin(std::span<const LayerGradients> layers);

// Decides when a backward pass is worth repeating with checks at every layer: at the second skip in
// a row with the same parameters, or at once if `always`.
class WEFT_API OverflowWatch {
 public:
  explicit OverflowWatch(bool always = false) : always_(always) {}
  // `parameters` are those with non-finite gradients in this step.
  bool wants_replay(std::vector<std::string> parameters);
  void step_applied() { last_.clear(); }

 private:
  bool always_;
  std::vector<std::string> last_;
};

// Counts losses that are not finite. Those are no matter of scaling.
class WEFT_API LossWatch {
 public:
  static constexpr int most_in_a_row = 3;
  // True if the run has to stop (exit status 4).
  bool must_stop(double loss);

 private:
  int in_a_row_ = 0;
};

enum class DivergenceAction : unsigned char { stop, layer_in_f32, run_in_f32 };

struct DivergenceResponse {
  DivergenceAction action = DivergenceAction::stop;
  std::string layer;  // layer_in_f32: gets the rule compute = "f32"
  Notice notice;      // P026
};

constexpr std::size_t most_fallback_layers = 8;

// The reaction to `update.diverged`. `origin` is the layer where the overflow arises, "" if it is
// not known. Falling back restarts the scaler; a layer that fell back before, an unknown origin and
// a ninth layer stop the run.
WEFT_API DivergenceResponse respond_to_divergence(OnDivergence setting, LossScaler& scaler,
                                                  const std::string& origin);

}  // namespace weft
