// One step of training: from the losses of a batch to new weights, schedules and loss scale.
// Source: docs/precision.md, "Order of a step".
#pragma once

#include <string>
#include <utility>

#include "framework/pipeline/shard_runner.h"
#include "framework/training/batch_update.h"
#include "framework/training/optimizer.h"
#include "framework/training/precision_session.h"
#include "framework/training/run_ranks.h"
#include "framework/training/step_gradients.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API TrainingStep {
 public:
  // All outlive the step; the optimizer is the session's. `ranks`: null for one alone.
  TrainingStep(ShardRunner& runner, Optimizer& optimizer, PrecisionSession& precision,
               RunRanks* ranks = nullptr)
      : runner_(runner),
        optimizer_(optimizer),
        precision_(precision),
        ranks_(ranks != nullptr ? *ranks : one_rank()) {}

  // A whole step with this batch and what was accumulated before it; gives the losses of the batch,
  // none where they were no numbers and the policy goes on without them. Afterwards the runner has
  // no gradients. Throws Error(diverged) where the run has to stop, with nothing of the step
  // applied, and as ShardRunner::accumulate does, which keeps the gradients of earlier parts.
  Losses run(const StepBatch& batch);

  // Adds the gradients of the batch for a later `run`.
  Losses accumulate(const StepBatch& batch);

  // The end of `run`: clips, and steps with the gradients that the runner has, which are unscaled.
  // Throws StepError with nothing changed.
  void apply();

  // Hooks see the gradients of steps that are applied; on several ranks those of the parameters
  // that the rank updates.
  void add_gradient_hook(GradientHook hook) { hooks_.add(std::move(hook)); }

 private:
  Losses attempt(const StepBatch& batch);
  void forget_gradients();
  [[noreturn]] void stop(const std::string& message);

  ShardRunner& runner_;
  Optimizer& optimizer_;
  PrecisionSession& precision_;
  RunRanks& ranks_;
  GradientHooks hooks_;
};

}  // namespace weft
