// A training run under a precision policy: the pipeline follows its number formats, losses are
// scaled, gradients are checked and unscaled, and steps that overflow are skipped, reported and
// recovered from. Source: docs/precision.md, "Loss scaling".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "framework/nn/run_formats.h"
#include "framework/pipeline/updater.h"
#include "framework/precision/divergence.h"
#include "framework/precision/loss_scaler.h"
#include "framework/precision/policy.h"
#include "framework/training/optimizer.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Sees the gradients of a step that will be applied: unscaled, f32, before they are clipped. It may
// change them.
using GradientHook = std::function<void(std::span<const NamedParameter>, Gradients&)>;

class WEFT_API PrecisionSession {
 public:
  // Where warnings and notes go.
  using Say = std::function<void(const Notice&)>;

  // All outlive the session; the pipeline is initialised. Throws Error(config) where the policy
  // asks for what this version cannot do, or for scaling that a component does not take part in.
  PrecisionSession(const PrecisionPolicy& policy, Language& nlp, Updater& updater,
                   Optimizer& optimizer, Say say);
  // The pipeline is f32 again and follows no policy.
  ~PrecisionSession();
  PrecisionSession(const PrecisionSession&) = delete;
  PrecisionSession& operator=(const PrecisionSession&) = delete;

  // Sets the scale of a step, for parts of it that are accumulated before `take`.
  void begin() { updater_.set_loss_scale(scaler_ ? scaler_->scale() : 1.0F); }

  // A whole step. `accumulate` adds the gradients of the step's batch to the updater's; it may be
  // called again, to find where an overflow arises. `batch` lists its documents. Throws
  // Error(diverged) where the run has to stop, with nothing of the step applied.
  struct Step {
    std::int64_t number = 0;
    std::function<Losses()> accumulate;
    std::function<std::string()> batch;
  };
  Losses take(const Step& step);

  // Clips by the common norm and makes the optimizer's step with the gradients that the updater
  // has, which are unscaled: what `take` ends with. Throws StepError with nothing changed.
  void apply();

  // Hooks run in order of their adding, on steps that are applied alone.
  void add_gradient_hook(GradientHook hook) { hooks_.push_back(std::move(hook)); }
  // Looks for the layer of every overflow, not only of those that come twice.
  void always_find_origin() { watch_ = OverflowWatch(true); }

  // Runs `action`, an evaluation, at the level that the policy says.
  void evaluate(const std::function<void()>& action);

  // ---- for the log: empty at O0 with nothing switched on
  Object log_line() const;
  const PrecisionPolicy& policy() const { return policy_; }
  // Null where the run has none.
  const LossScaler* scaler() const { return scaler_ ? &*scaler_ : nullptr; }
  RunFormats* formats() const { return formats_.get(); }
  // In which saved pipelines hold their weights.
  DType save_type() const;

  // ---- for checkpoints: null if there is nothing to keep
  Node state() const;
  // Throws Error(data) for what `state` did not give.
  void restore(const Node& saved);

 private:
  struct Found {
    GradientStatus status = GradientStatus::none;
    std::vector<std::string> bad;  // parameters whose gradient is not finite
  };
  bool is_plain() const;
  Losses take_plain(const Step& step);
  void skip_for_loss(const Step& step, const std::string& what);
  Found unscale(float inverse);
  void tell_early_readers();
  Found unscale_there(float inverse);
  void call_hooks();
  bool hooks_leave_finite();
  void finish(const Step& step, Found found);
  void skip(const Step& step, const Found& found, const ScaleUpdate& update);
  void diverge(const std::string& origin);
  std::string find_origin(const Step& step, bool forward);
  void clear_after_skip();
  void continue_at_o0();
  void make_scaler();
  void follow(std::shared_ptr<RunFormats> formats);

  PrecisionPolicy policy_;
  Language& nlp_;
  Updater& updater_;
  Optimizer& optimizer_;
  Say say_;
  std::shared_ptr<RunFormats> formats_;
  std::optional<LossScaler> scaler_;  // wherever steps are skipped
  OverflowWatch watch_;
  LossWatch losses_;
  std::vector<GradientHook> hooks_;
  bool told_of_no_gradients_ = false;
  std::set<std::string> told_;  // of their reading scaled gradients
  bool fell_to_o0_ = false;
};

}  // namespace weft
