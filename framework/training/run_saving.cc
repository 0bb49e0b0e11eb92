// The files that a run leaves: pipelines with the averages of the parameters, checkpoints with the
// parameters as they are.
#include <string>
#include <utility>
#include <vector>

#include "framework/nn/model_file.h"
#include "framework/precision/element_type.h"
#include "framework/training/run.h"

namespace weft {
namespace {

std::vector<ModelPtr> models_of(const Language& nlp) {
  std::vector<ModelPtr> models;
  for (const NamedComponent& component : nlp.pipeline()) {
    for (ModelPtr& model : component.component->models()) models.push_back(std::move(model));
  }
  return models;
}

}  // namespace

// The best pipeline is a copy of the last one, which was saved a moment ago: the two cannot differ.
void TrainingRun::save_last_and_best() {
  save_last();
  if (!saves_ || !last_is_best(state_)) return;
  ranks_.on_root([this] { setup_.folder->copy_last_to_best(); });
}

// Checkpoints hold the weights as they are; saved pipelines as `save_dtype` says.
void TrainingRun::save_last() {
  if (!saves_) return;
  wait_and_check();
  const DType type = precision_.save_type();
  if (type != DType::f32) setup_.nlp.meta().set("weights", std::string(name_of(format_of(type))));
  const auto save = [this, type] {
    setup_.nlp.copy_weights_to_host();
    CallbackCall call{setup_.nlp};
    if (setup_.settings.before_to_disk) setup_.settings.before_to_disk->call(call);
    const Language& saved = call.save_instead ? *call.save_instead : setup_.nlp;
    const WeightFormat format(models_of(saved), type);
    setup_.folder->save_last(saved);
  };
  with_averages([&] { ranks_.on_root(save); });
}

bool TrainingRun::is_step_to_save() const {
  const std::int64_t every = setup_.checkpoints.every_steps;
  return every > 0 && state_.step > 0 && state_.step % every == 0 && !is_saved();
}

bool TrainingRun::checkpoint_is_due() const {
  const CheckpointSettings& settings = setup_.checkpoints;
  if (is_step_to_save()) return true;
  if (is_saved() || state_.step == 0) return false;
  const std::chrono::duration<double> passed = Clock::now() - saved_.at;
  // Only the clock of rank 0 counts, or ranks would disagree about when to save.
  return settings.every_minutes > 0 &&
         ranks_.as_root(passed.count() >= 60 * settings.every_minutes);
}

void TrainingRun::write_checkpoint_of(const TrainingState& state, OptimizerStates optimizer,
                                      const std::filesystem::path& folder) {
  Checkpoint checkpoint{.training = state,
                        .schedule_step = optimizer_->schedule_step(),
                        .optimizer = std::move(optimizer),
                        .components = {},
                        .log = log_->position(),
                        .meta = setup_.nlp.meta(),
                        .data = setup_.data,
                        .precision = precision_.state(),
                        .loss_history = loss_history_.to_node()};
  for (const NamedComponent& component : setup_.nlp.pipeline()) {
    Node own = component.component->training_state();
    if (!own.is_null()) checkpoint.components.set(component.name, std::move(own));
  }
  if (setup_.rehearsal != nullptr) {
    checkpoint.rehearsal = setup_.rehearsal->state();
    setup_.rehearsal->write_tutor(folder / kTutorOfCheckpoint);
  }
  write_checkpoint(checkpoint, setup_.nlp, folder);
}

// States of the optimizer are gathered from the ranks that own them; rank 0 writes. Weights are
// those of the step, not the averages, so that the next step goes on from them.
void TrainingRun::save_checkpoint() {
  if (!saves_ || is_saved()) return;
  wait_and_check();
  ranks_.gather_losses(state_.losses);
  OptimizerStates states = ranks_.states(*optimizer_);
  ranks_.on_root([&] {
    setup_.folder->save_checkpoint(state_.step, setup_.checkpoints.keep_last,
                                   [&](const std::filesystem::path& folder) {
                                     if (!state_.results.empty()) setup_.folder->keep_best(folder);
                                     write_checkpoint_of(state_, std::move(states), folder);
                                   });
  });
  mark_saved();
}

void TrainingRun::save_diverged() {
  if (!saves_) return;
  wait_and_check();
  OptimizerStates states = ranks_.states(*optimizer_);
  ranks_.on_root([&] {
    setup_.folder->save_diverged([&](const std::filesystem::path& folder) {
      write_checkpoint_of(before_batch_, std::move(states), folder);
    });
  });
}

bool TrainingRun::is_saved() const {
  return state_.step == saved_.step && state_.epoch == saved_.epoch &&
         state_.results.size() == saved_.results;
}

void TrainingRun::mark_saved() {
  saved_ = {state_.step, state_.epoch, state_.results.size(), Clock::now()};
}

}  // namespace weft
