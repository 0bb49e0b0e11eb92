#include "framework/training/run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/score_weights.h"
#include "framework/training/example_streams.h"
#include "registry/error.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::uint64_t seed_of(const TrainingSettings& settings) {
  return static_cast<std::uint64_t>(settings.seed.value_or(0));
}

std::vector<Example> read_dev(const Reader& corpus, const Language& nlp) {
  const ExampleStreamPtr stream = corpus.open(nlp);
  std::vector<Example> examples;
  while (const ExamplePtr example = stream->next()) examples.push_back(std::move(*example));
  if (examples.empty()) {
    throw Error(ErrorKind::data, "there is no example in the data to evaluate on");
  }
  return examples;
}

// `count` parts of equal size; what is left over forms one more.
std::vector<std::span<Example* const>> parts_of(std::span<Example* const> examples,
                                                std::size_t count) {
  std::vector<std::span<Example* const>> parts;
  const std::size_t size = examples.size() / count;
  for (std::size_t i = 0; i < count && size > 0; ++i) {
    parts.push_back(examples.first(size));
    examples = examples.subspan(size);
  }
  if (!examples.empty()) parts.push_back(examples);
  return parts;
}

void remove_old(const std::filesystem::path& output) {
  if (output.empty()) return;
  for (const char* name : {"model-best", "model-last"}) {
    std::filesystem::remove_all(output / name);
  }
}

}  // namespace

TrainingRun::TrainingRun(const TrainingPlan& plan, std::ostream& out, std::ostream& err,
                         bool err_is_terminal)
    : plan_(plan),
      optimizer_(plan.settings.optimizer),
      updater_(plan.nlp, plan.pool,
               {seed_of(plan.settings), plan.settings.frozen_components,
                plan.settings.annotating_components}),
      batches_(plan.train_corpus, plan.nlp, *plan.settings.batcher,
               {plan.settings.max_epochs, seed_of(plan.settings)}, state_),
      dev_(read_dev(plan.dev_corpus, plan.nlp)),
      score_weights_(plan.settings.score_weights) {
  remove_old(plan.output);
  LogSetup setup{.nlp = &plan.nlp,
                 .out = out,
                 .err = err,
                 .err_is_terminal = err_is_terminal,
                 .max_steps = plan.settings.max_steps,
                 .eval_frequency = plan.settings.eval_frequency};
  setup.loss_names = plan.nlp.trainable(plan.settings.frozen_components);
  for (const auto& [name, weight] : score_weights_) {
    if (!weight.is_null()) setup.score_names.push_back(name);
  }
  log_ = plan.settings.logger.start(setup);
}

TrainingRun::~TrainingRun() = default;

bool TrainingRun::take_batch() {
  batch_ = batches_.next();
  return !batch_.empty();
}

// From short to long: parts of a batch and shards of a part get documents of like lengths.
std::vector<ExamplePtr> TrainingRun::sorted_batch() const {
  std::vector<ExamplePtr> batch = batch_;
  std::stable_sort(batch.begin(), batch.end(), [](const ExamplePtr& left, const ExamplePtr& right) {
    return left->size() < right->size();
  });
  return batch;
}

void TrainingRun::update() {
  const TrainingSettings& settings = plan_.settings;
  if (settings.before_update) {
    CallbackCall call{plan_.nlp, state_.step, state_.epoch};
    settings.before_update->call(call);
  }
  const auto start = Clock::now();
  const std::vector<ExamplePtr> batch = sorted_batch();
  std::vector<Example*> examples;
  for (const ExamplePtr& example : batch) examples.push_back(example.get());
  std::uint64_t number = 0;
  for (const auto part :
       parts_of(examples, static_cast<std::size_t>(settings.accumulate_gradient))) {
    const Losses losses = updater_.accumulate(part, settings.dropout,
                                              static_cast<std::uint64_t>(state_.step), number++);
    for (const auto& [name, loss] : losses) state_.losses[name] += loss;
  }
  updater_.apply(*optimizer_);
  for (const Example* example : examples) state_.words += example->size();
  state_.seconds += seconds_since(start);
  log_->stepped(state_.step);
}

bool TrainingRun::evaluation_is_due() const {
  return state_.step % plan_.settings.eval_frequency == 0;
}

void TrainingRun::with_averages(const std::function<void()>& action) {
  const bool swaps = optimizer_->keeps_averages();
  if (swaps) optimizer_->swap_averages(updater_.parameters());
  try {
    action();
  } catch (...) {
    if (swaps) optimizer_->swap_averages(updater_.parameters());
    throw;
  }
  if (swaps) optimizer_->swap_averages(updater_.parameters());
}

TrainingInfo TrainingRun::make_info(Scores scores) const {
  TrainingInfo info;
  info.epoch = state_.epoch;
  info.step = state_.step;
  info.score = state_.results.back().first;
  info.other_scores = std::move(scores);
  info.losses = state_.losses;
  info.checkpoints = state_.results;
  info.words = state_.words;
  info.seconds = state_.seconds;
  const double seconds = state_.seconds - state_.seconds_at_evaluation;
  const auto words = static_cast<double>(state_.words - state_.words_at_evaluation);
  info.words_per_second = seconds > 0 ? words / seconds : 0.0;
  return info;
}

void TrainingRun::evaluate() {
  std::vector<Example> examples = dev_;
  Scores scores;
  with_averages([&] { scores = plan_.nlp.evaluate(examples, plan_.pool); });
  state_.results.emplace_back(main_score(scores, score_weights_), state_.step);
  const TrainingInfo info = make_info(std::move(scores));
  log_->evaluated(info);
  describe_in_meta(info);
  state_.losses.clear();
  state_.words_at_evaluation = state_.words;
  state_.seconds_at_evaluation = state_.seconds;
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

void TrainingRun::save(const std::string& name) {
  CallbackCall call{plan_.nlp};
  if (plan_.settings.before_to_disk) plan_.settings.before_to_disk->call(call);
  const Language& saved = call.save_instead ? *call.save_instead : plan_.nlp;
  saved.to_disk(plan_.output / name);
}

void TrainingRun::save_last_and_best() {
  save_last();
  if (plan_.output.empty() || !last_is_best(state_)) return;
  AtomicFolder best(plan_.output / "model-best");
  std::filesystem::copy(plan_.output / "model-last", best.path(),
                        std::filesystem::copy_options::recursive);
  best.commit();
}

void TrainingRun::save_last() {
  if (!plan_.output.empty()) with_averages([this] { save("model-last"); });
}

bool TrainingRun::finished() const {
  const TrainingSettings& settings = plan_.settings;
  if (plan_.interrupted && plan_.interrupted()) return true;
  const std::int64_t without_gain = state_.step - best_step(state_);
  if (settings.patience > 0 && without_gain >= settings.patience) return true;
  return settings.max_steps > 0 && state_.step >= settings.max_steps;
}

void TrainingRun::close_log() {
  log_->finish();
}

}  // namespace weft
