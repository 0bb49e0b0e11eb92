#include "framework/training/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "framework/nn/model_file.h"
#include "framework/pipeline/score_weights.h"
#include "framework/precision/element_type.h"
#include "framework/text/printable.h"
#include "framework/text/warning_limit.h"
#include "framework/training/batch_update.h"
#include "framework/training/example_streams.h"
#include "framework/training/profile_gain.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::uint64_t seed_of(const TrainingSettings& settings) {
  return static_cast<std::uint64_t>(settings.seed.value_or(0));
}

bool holds_no_number(const Tensor& stored) {
  const Tensor tensor = cast_to(DType::f32, stored);
  const float* values = tensor.data<float>();
  return !std::all_of(values, values + tensor.size(), [](float x) { return std::isfinite(x); });
}

LogSetup log_setup(const TrainingPlan& plan, std::ostream& out, std::ostream& err, bool terminal) {
  LogSetup setup{.nlp = &plan.nlp,
                 .out = out,
                 .err = err,
                 .err_is_terminal = terminal,
                 .max_steps = plan.settings.max_steps,
                 .eval_frequency = plan.settings.eval_frequency};
  setup.loss_names = plan.nlp.trainable(plan.settings.frozen_components);
  for (const auto& [name, weight] : plan.settings.score_weights) {
    if (!weight.is_null()) setup.score_names.push_back(name);
  }
  if (plan.folder != nullptr) setup.output = plan.folder->path();
  setup.may_replace = plan.may_replace;
  setup.resumed = plan.resumed != nullptr ? &plan.resumed->log : plan.resumed_log;
  return setup;
}

void warn_of_unseen_labels(const TrainingPlan& plan, const UnseenLabels& unseen,
                           std::ostream& err) {
  WarningLimit warnings(err);
  for (const auto& [label, count] : unseen.counts()) {
    warnings.show(
        "a label that only the development data has",
        fmt::format(
            "warning: the training data has no '{}', which [{}] has {} times: it will not be found",
            printable_brief(label), plan.settings.dev_corpus, count));
  }
  warnings.summarize();
}

}  // namespace

TrainingRun::TrainingRun(const TrainingPlan& plan, std::ostream& out, std::ostream& err,
                         bool err_is_terminal)
    : plan_(plan),
      state_(plan.resumed != nullptr ? plan.resumed->training : TrainingState()),
      before_batch_(state_),
      optimizer_(plan.settings.optimizer),
      runner_(plan.nlp, plan.pool,
              {.seed = seed_of(plan.settings),
               .frozen = plan.settings.frozen_components,
               .annotating = plan.settings.annotating_components}),
      err_(err),
      precision_(plan.settings.precision, plan.nlp, runner_, *optimizer_,
                 [this](const Notice& notice) { say(notice); }),
      step_(runner_, *optimizer_, precision_),
      train_misaligned_(plan.settings.train_corpus, plan.train_corpus.on_misaligned, err),
      dev_misaligned_(plan.settings.dev_corpus, plan.dev_corpus.on_misaligned, err),
      batches_(plan.train_corpus, plan.nlp, *plan.settings.batcher,
               batch_options(plan.settings, &train_misaligned_), state_),
      dev_(plan.dev_corpus, plan.nlp, plan.memory.evaluation_data, dev_misaligned_),
      score_weights_(plan.settings.score_weights),
      saved_at_(Clock::now()) {
  optimizer_->use(plan.nlp.device_weights());
  runner_.set_memory(memory_for_step(plan.memory, batches_.held_bytes() + dev_.held_bytes()));
  warn_of_unseen_labels(plan, dev_.unseen_labels(), err);
  if (plan.precision_debug) precision_.always_find_origin();
  if (plan.resumed != nullptr) resume();
  if (plan.ready) plan.ready();
  log_ = plan.settings.logger.start(log_setup(plan, out, err, err_is_terminal));
}

TrainingRun::~TrainingRun() = default;

void TrainingRun::resume() {
  restore_optimizer(*plan_.resumed, runner_.parameters(), *optimizer_);
  precision_.restore(plan_.resumed->precision);
  mark_saved();
}

bool TrainingRun::take_batch() {
  before_batch_ = state_;
  batch_ = batches_.next();
  return !batch_.empty();
}

void TrainingRun::update() {
  const TrainingSettings& settings = plan_.settings;
  if (settings.before_update) {
    plan_.nlp.bring_weights_back();
    CallbackCall call{plan_.nlp, state_.step, state_.epoch};
    settings.before_update->call(call);
  }
  const auto start = Clock::now();
  const std::vector<ExamplePtr> batch = prepared_batch(batch_, settings);
  const std::vector<Example*> examples = examples_of(batch);
  const Losses losses = step_.take({.number = static_cast<std::uint64_t>(state_.step),
                                    .examples = examples,
                                    .parts = static_cast<std::size_t>(settings.accumulate_gradient),
                                    .dropout = settings.dropout});
  for (const auto& [name, loss] : losses) state_.losses[name] += loss;
  for (const ExamplePtr& example : batch) state_.words += example->size();
  state_.seconds += seconds_since(start);
  log_->stepped(state_.step);
  ++state_.step;
}

// Warnings, and the notes of the start; what is told of every growth of the scale would be noise.
void TrainingRun::say(const Notice& notice) {
  if (notice.code == "P027" && !plan_.verbose) return;
  err_ << (notice.severity == Severity::note ? "note: " : "warning: ") << notice.str() << '\n';
}

// A step leaves no NaN in what it changes; what else writes to parameters, such as a callback, may.
void TrainingRun::check_parameters() {
  plan_.nlp.bring_weights_back();
  for (const NamedParameter& named : runner_.parameters()) {
    if (!named.parameter->value || !holds_no_number(named.parameter->value)) continue;
    throw Error(ErrorKind::diverged,
                fmt::format("training diverged: after step {} parameter {} holds a NaN or an "
                            "infinity; a lower learn_rate may help",
                            last_step(), named.name));
  }
}

// Where the run is profiled, once: the shares hardly change.
void TrainingRun::say_whether_it_pays() {
  const OpProfile* profile = OpProfile::current();
  if (profile == nullptr || said_whether_it_pays_) return;
  said_whether_it_pays_ = true;
  for (const Notice& notice : check_gain(precision_.policy(), profile->shares())) say(notice);
}

bool TrainingRun::evaluation_is_due() const {
  const bool is_done = !state_.results.empty() && state_.results.back().second == last_step();
  return state_.step > 0 && last_step() % plan_.settings.eval_frequency == 0 && !is_done;
}

void TrainingRun::with_averages(const std::function<void()>& action) {
  const bool swaps = optimizer_->keeps_averages();
  if (swaps) optimizer_->swap_averages(runner_.parameters());
  try {
    action();
  } catch (...) {
    if (swaps) optimizer_->swap_averages(runner_.parameters());
    throw;
  }
  if (swaps) optimizer_->swap_averages(runner_.parameters());
}

TrainingInfo TrainingRun::make_info(Scores scores) const {
  TrainingInfo info;
  info.epoch = state_.epoch;
  info.step = last_step();
  info.score = state_.results.back().first;
  info.other_scores = std::move(scores);
  info.losses = state_.losses;
  info.checkpoints = state_.results;
  info.words = state_.words;
  for (const auto& [corpus, report] : {std::pair(&plan_.settings.train_corpus, &train_misaligned_),
                                       std::pair(&plan_.settings.dev_corpus, &dev_misaligned_)}) {
    Object counts = report->counts();
    if (!counts.empty()) info.misaligned.set(*corpus, std::move(counts));
  }
  info.seconds = state_.seconds;
  const double seconds = state_.seconds - state_.seconds_at_evaluation;
  const auto words = static_cast<double>(state_.words - state_.words_at_evaluation);
  info.words_per_second = seconds > 0 ? words / seconds : 0.0;
  return info;
}

bool TrainingRun::evaluate() {
  batches_.settle();  // what was read is part of the log and of what is saved
  check_parameters();
  say_whether_it_pays();
  // Prediction and the passes of a step do not need their memory at the same time.
  if (plan_.memory.limit > 0) runner_.release_memory();
  bool is_cut = false;
  const ExampleStreamPtr all = dev_.open();
  const ExampleStreamPtr examples = stream_of([&]() -> ExamplePtr {
    is_cut = is_cut || interrupted();
    return is_cut ? nullptr : all->next();
  });
  Scores scores;
  precision_.evaluate(
      [&] { with_averages([&] { scores = plan_.nlp.evaluate(*examples, plan_.pool); }); });
  if (is_cut) return false;
  state_.results.emplace_back(main_score(scores, score_weights_), last_step());
  TrainingInfo info = make_info(std::move(scores));
  info.precision = precision_.log_line();
  log_->evaluated(info);
  describe_in_meta(info);
  state_.losses.clear();
  state_.words_at_evaluation = state_.words;
  state_.seconds_at_evaluation = state_.seconds;
  return true;
}

void TrainingRun::describe_in_meta(const TrainingInfo& info) {
  Object performance;
  for (const auto& [name, weight] : score_weights_) {
    const Node* score = info.other_scores.find(name);
    performance.set(name, score == nullptr ? Node(0.0) : *score);
  }
  for (const auto& [name, loss] : info.losses) performance.set(name + "_loss", loss);
  plan_.nlp.meta().set("performance", std::move(performance));
}

void TrainingRun::save_last_and_best() {
  save_last();
  if (plan_.folder != nullptr && last_is_best(state_)) plan_.folder->copy_last_to_best();
}

// Checkpoints hold the weights as they are; saved pipelines as `save_dtype` says.
void TrainingRun::save_last() {
  if (plan_.folder == nullptr) return;
  batches_.settle();
  check_parameters();
  const DType type = precision_.save_type();
  if (type != DType::f32) plan_.nlp.meta().set("weights", std::string(name_of(format_of(type))));
  const WeightFormat format(type);
  with_averages([this] {
    plan_.nlp.bring_weights_back();
    CallbackCall call{plan_.nlp};
    if (plan_.settings.before_to_disk) plan_.settings.before_to_disk->call(call);
    plan_.folder->save_last(call.save_instead ? *call.save_instead : plan_.nlp);
  });
}

bool TrainingRun::checkpoint_is_due() const {
  const CheckpointSettings& settings = plan_.checkpoints;
  if (is_saved() || state_.step == 0) return false;
  if (settings.every_steps > 0 && state_.step % settings.every_steps == 0) return true;
  return settings.every_minutes > 0 && seconds_since(saved_at_) >= 60 * settings.every_minutes;
}

void TrainingRun::write_checkpoint_of(const TrainingState& state,
                                      const std::filesystem::path& folder) {
  Checkpoint checkpoint{.training = state,
                        .schedule_step = optimizer_->schedule_step(),
                        .optimizer = optimizer_->states_on_host(),
                        .components = {},
                        .log = log_->position(),
                        .meta = plan_.nlp.meta(),
                        .data = plan_.data,
                        .precision = precision_.state()};
  for (const NamedComponent& component : plan_.nlp.pipeline()) {
    Node own = component.component->training_state();
    if (!own.is_null()) checkpoint.components.set(component.name, std::move(own));
  }
  write_checkpoint(checkpoint, plan_.nlp, folder);
}

void TrainingRun::save_checkpoint() {
  if (plan_.folder == nullptr || is_saved()) return;
  batches_.settle();
  check_parameters();
  plan_.folder->save_checkpoint(
      state_.step, plan_.checkpoints.keep_last,
      [this](const std::filesystem::path& folder) { write_checkpoint_of(state_, folder); });
  mark_saved();
}

bool TrainingRun::is_saved() const {
  return state_.step == saved_step_ && state_.epoch == saved_epoch_ &&
         state_.results.size() == saved_results_;
}

void TrainingRun::mark_saved() {
  saved_step_ = state_.step;
  saved_epoch_ = state_.epoch;
  saved_results_ = state_.results.size();
  saved_at_ = Clock::now();
}

void TrainingRun::save_diverged() {
  if (plan_.folder == nullptr) return;
  batches_.settle();
  check_parameters();
  plan_.folder->save_diverged(
      [this](const std::filesystem::path& folder) { write_checkpoint_of(before_batch_, folder); });
}

bool TrainingRun::finished() const {
  const TrainingSettings& settings = plan_.settings;
  if (state_.step == 0) return false;
  const std::int64_t without_gain = last_step() - best_step(state_);
  if (settings.patience > 0 && without_gain >= settings.patience) return true;
  return settings.max_steps > 0 && last_step() >= settings.max_steps;
}

void TrainingRun::close_log() {
  log_->finish();
}

}  // namespace weft
