// The scope of a precision policy: while it lives the pipeline follows the policy's number formats,
// losses are scaled, and steps that overflow are reported and recovered from.
// Source: docs/precision.md, "Loss scaling".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "framework/nn/run_formats.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/precision/divergence.h"
#include "framework/precision/loss_scaler.h"
#include "framework/precision/policy.h"
#include "framework/precision/ranks.h"
#include "framework/training/batch_update.h"
#include "framework/training/optimizer.h"
#include "framework/training/step_gradients.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

class LossError;

class WEFT_API PrecisionSession {
 public:
  // Where warnings and notes go.
  using Say = std::function<void(const Notice&)>;

  // All outlive the session; the pipeline is initialised. Throws Error(config) where the policy
  // asks for what this version cannot do, or for scaling that a component does not take part in.
  PrecisionSession(const PrecisionPolicy& policy, Language& nlp, ShardRunner& runner,
                   Optimizer& optimizer, Say say);
  // The pipeline is f32 again and follows no policy.
  ~PrecisionSession();
  PrecisionSession(const PrecisionSession&) = delete;
  PrecisionSession& operator=(const PrecisionSession&) = delete;

  // ---- a step asks for these in this order (step.cc)
  // Sets the scale of its losses.
  void start_step();
  // Whether steps with numbers that are not finite are skipped; else they end the run.
  bool skips_steps() const { return policy_.skips_non_finite_gradients(); }
  // Looks at the runner's gradients and takes the scale out. Where steps are not skipped nothing is
  // looked at: the optimizer refuses gradients that are not finite.
  StepGradients unscale();
  // The optimizer has stepped: the scale may grow.
  void applied();
  // The step is left out, and the scale may fall. The batch may be run again, to find where the
  // overflow arises. Throws Error(diverged) where the run has to stop.
  void skip(const StepBatch& batch, const StepGradients& gradients);
  // The same for a loss that is no number, whatever the scale.
  void skip_for_loss(const StepBatch& batch, const LossError& error);

  // Looks for the layer of every overflow, not only of those that come twice.
  void always_find_origin() { watch_ = OverflowWatch(true); }

  // Runs `action`, an evaluation, at the level that the policy says.
  void evaluate(const std::function<void()>& action);

  // ---- for the log: empty at O0 with nothing switched on
  Object log_line() const;
  const PrecisionPolicy& policy() const { return policy_; }
  // Null where the run has none.
  const LossScaler* scaler() const { return scaler_ ? &*scaler_ : nullptr; }
  // The state of that scaler, for the ranks of a run to compare.
  RankScale scale() const;
  RunFormats* formats() const { return formats_.get(); }
  // In which saved pipelines hold their weights.
  DType save_type() const;

  // ---- for checkpoints: null if there is nothing to keep
  Node state() const;
  // Throws Error(data) for what `state` did not give.
  void restore(const Node& saved);

 private:
  void tell_early_readers();
  void diverge(const std::string& origin);
  std::string find_origin(const StepBatch& batch, bool forward);
  void clear_after_skip();
  void continue_at_o0();
  void make_scaler();
  void follow(std::shared_ptr<RunFormats> formats);

  PrecisionPolicy policy_;
  Language& nlp_;
  ShardRunner& runner_;
  Optimizer& optimizer_;
  Say say_;
  std::shared_ptr<RunFormats> formats_;
  std::optional<LossScaler> scaler_;  // wherever steps are skipped
  OverflowWatch watch_;
  LossWatch losses_;
  bool told_of_no_gradients_ = false;
  std::set<std::string> told_;  // of their reading scaled gradients
  bool fell_to_o0_ = false;
};

}  // namespace weft
