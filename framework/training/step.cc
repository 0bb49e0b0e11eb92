#include "framework/training/step.h"

#include "framework/pipeline/loss_error.h"
#include "framework/training/divergence_report.h"
#include "framework/training/step_rates.h"

namespace weft {

Losses TrainingStep::run(const StepBatch& batch) {
  try {
    Losses losses = attempt(batch);
    forget_gradients();
    return losses;
  } catch (const StepError& error) {
    optimizer_.finish(runner_.tasks());
    stop(divergence_message(batch, error, runner_.parameters(), runner_.gradients()));
  } catch (const Error& error) {
    runner_.end_step();
    if (error.kind() != ErrorKind::diverged) throw;
    optimizer_.finish(runner_.tasks());
    // A policy that skips steps has told all about those that made it stop.
    if (precision_.skips_steps()) stop(error.message());
    stop(divergence_message(batch, error.message(), runner_.parameters(), runner_.gradients()));
  }
}

// The order follows docs/precision.md, "Order of a step": scale the losses, backward, check and
// unscale, agree, hooks, clip, step, then the schedules and the scale.
Losses TrainingStep::attempt(const StepBatch& batch) {
  // Losses and gradients of the shards; in the backward pass losses are multiplied by the loss
  // scale.
  Losses losses;
  try {
    losses = accumulate(batch);
  } catch (const LossError& error) {
    if (!precision_.skips_steps()) throw;
    precision_.skip_for_loss(batch, error);
    return {};
  }

  // The gradients are the sums over all ranks by now, and each rank has those of the parameters
  // that it updates: all that follows is decided from them together, by each rank alike.
  StepGradients gradients = precision_.unscale();
  if (precision_.skips_steps()) {
    gradients = ranks_.agree(std::move(gradients), precision_.scale());
  }
  if (!hooks_.empty()) optimizer_.finish(runner_.tasks());  // they may look at weights
  if (gradients.status == GradientStatus::finite &&
      !hooks_.call(runner_.parameters(), runner_.gradients()) && precision_.skips_steps()) {
    gradients = {GradientStatus::non_finite, {"a gradient hook's"}};
  }

  if (gradients.status == GradientStatus::finite) {
    apply();
    precision_.applied();
  } else {
    precision_.skip(batch, gradients);
  }
  return losses;
}

Losses TrainingStep::accumulate(const StepBatch& batch) {
  check_rates(optimizer_);
  precision_.start_step();
  return run_shards(runner_, batch);
}

void TrainingStep::apply() {
  ranks_.apply(runner_, optimizer_, precision_.policy().settings.grad_norm);
  optimizer_.advance();  // its schedules: learning rate, L2 and others
}

// The next step begins as this one did.
void TrainingStep::stop(const std::string& message) {
  forget_gradients();
  throw Error(ErrorKind::diverged, message);
}

void TrainingStep::forget_gradients() {
  runner_.gradients().clear();
  runner_.end_step();
}

}  // namespace weft
