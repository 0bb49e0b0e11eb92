#include "framework/training/run.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/evaluation.h"
#include "framework/pipeline/prediction_groups.h"
#include "framework/pipeline/score_weights.h"
#include "framework/text/warning_limit.h"
#include "framework/training/batch_update.h"
#include "framework/training/example_streams.h"
#include "framework/training/label_warnings.h"
#include "framework/training/logger_failure.h"
#include "framework/training/parameter_check.h"
#include "framework/training/profile_gain.h"
#include "framework/training/run_report.h"

namespace weft {
namespace {

std::uint64_t seed_of(const TrainingSettings& settings) {
  return static_cast<std::uint64_t>(settings.seed.value_or(0));
}

// Of an evaluation on several ranks, between two exchanges: few enough to be predicted long before
// a deadline.
constexpr std::size_t kTokensOfRank = std::size_t{1} << 13;

// In each evaluation: a score may be a number in some of them.
void warn_of_infinite(const Scores& scores, const Object& weights, std::int64_t step,
                      std::ostream& err) {
  for (const auto& [name, weight] : weights) {
    const Node* score = number_or_zero(weight) == 0.0 ? nullptr : scores.find(name);
    if (score == nullptr || std::isfinite(number_or_zero(*score))) continue;
    err << fmt::format("warning: {} is {} in step {}, which counts nothing in the score\n", name,
                       number_or_zero(*score), step);
  }
}

}  // namespace

TrainingRun::TrainingRun(const TrainingSetup& setup, std::ostream& out, std::ostream& err,
                         bool err_is_terminal)
    : setup_(setup),
      ranks_(setup.ranks != nullptr ? *setup.ranks : one_rank()),
      state_(setup.resumed != nullptr ? setup.resumed->training : TrainingState()),
      before_batch_(state_),
      optimizer_(setup.settings.optimizer),
      runner_(
          setup.nlp, setup.pool,
          {.seed = seed_of(setup.settings), .annotating = setup.settings.annotating_components}),
      err_(err),
      precision_(setup.settings.precision, setup.nlp, runner_, *optimizer_,
                 [this](const Notice& notice) { say(notice); }),
      step_(runner_, *optimizer_, precision_, &ranks_),
      train_misaligned_(setup.settings.train_corpus, setup.train_corpus.on_misaligned, err),
      dev_misaligned_(setup.settings.dev_corpus, setup.dev_corpus.on_misaligned, err),
      batches_(setup.train_corpus, setup.nlp, *setup.settings.batcher,
               batch_options(setup.settings, &train_misaligned_), state_),
      dev_(setup.dev_corpus, setup.nlp, setup.memory.evaluation_data, dev_misaligned_,
           setup.settings.frozen_components),
      score_weights_(setup.settings.score_weights) {
  // The order matters: the memory of a step depends on the parts that it trains, and a resumed run
  // has to stand where it stood before the ranks compare and share parameters.
  runner_.freeze(setup.settings.freezing.at(state_.step));
  optimizer_->use(setup.nlp.device_weights());
  runner_.set_memory(memory_for_step(setup.memory, batches_.held_bytes() + dev_.held_bytes()));
  warn_of_unseen_labels(dev_.unseen_labels(), batches_, setup, err);
  if (setup.precision_debug) precision_.always_find_origin();
  if (setup.resumed != nullptr) resume();
  // Those that are unfrozen later have to be known to all ranks.
  runner_.freeze(setup.settings.freezing.for_good());
  ranks_.begin(runner_, *optimizer_);
  runner_.freeze(setup.settings.freezing.at(state_.step));
  saves_ = ranks_.as_root(setup.folder != nullptr);
  if (setup.ready) setup.ready();
  run_logger(
      [&] { log_ = setup.settings.logger.start(log_setup(setup, out, err, err_is_terminal)); });
  if (setup.progress != nullptr) {
    setup.progress->aim_at(log_->progress_target());
    setup.progress->begin();
  }
  // Ranks exchange weights after a step.
  if (ranks_.size() == 1) optimizer_->defer_rows(&setup.pool);
}

TrainingRun::~TrainingRun() {
  optimizer_->defer_rows(nullptr);
}

void TrainingRun::resume() {
  restore_optimizer(*setup_.resumed, runner_.parameters(), *optimizer_);
  precision_.restore(setup_.resumed->precision);
  loss_history_.restore(setup_.resumed->loss_history);
  mark_saved();
  if (!ranks_.in_step() && !ranks_.is_root()) state_.losses.clear();  // rank 0 has those of all
}

// ---- a step

// The state before the batch is remembered: a step that diverges is saved as if its batch had never
// been taken, so that a replay begins with it.
bool TrainingRun::take_batch() {
  if (setup_.progress != nullptr) setup_.progress->begin_step();
  before_batch_ = state_;
  batch_ = batches_.next();
  if (state_.epoch != before_batch_.epoch) documents_in_pass_ = 0;
  documents_in_pass_ += static_cast<std::int64_t>(batch_.size());
  return !batch_.empty();
}

void TrainingRun::update() {
  const TrainingSettings& settings = setup_.settings;
  if (settings.before_update) {
    bring_weights_up_to_date();
    CallbackCall call{setup_.nlp, state_.step, state_.epoch};
    settings.before_update->call(call);
  }
  const auto start = Clock::now();
  runner_.freeze(settings.freezing.at(state_.step));
  const std::vector<ExamplePtr> batch = prepared_batch(batch_, settings);
  const std::vector<Example*> examples = examples_of(batch);
  const Losses losses = step_.run({.number = static_cast<std::uint64_t>(state_.step),
                                   .examples = examples,
                                   .parts = static_cast<std::size_t>(settings.accumulate_gradient),
                                   .dropout = settings.dropout,
                                   .further = rehearsal()});
  for (const auto& [name, loss] : losses) state_.losses[name] += loss;
  for (const ExamplePtr& example : batch) state_.words += example->size();
  state_.seconds += std::chrono::duration<double>(Clock::now() - start).count();
  ranks_.stepped(state_.step);
  run_logger([&] { log_->stepped(state_.step); });
  ++state_.step;
  if (setup_.progress == nullptr) return;
  setup_.progress->stepped(run_stand(settings, state_, documents_in_pass_, batches_.held().size()));
}

std::function<Losses()> TrainingRun::rehearsal() {
  if (setup_.rehearsal == nullptr) return {};
  return [this] { return setup_.rehearsal->run(runner_, state_.step); };
}

void TrainingRun::score_before() {
  if (setup_.rehearsal == nullptr || setup_.rehearsal->knows_before()) return;
  const std::optional<Scores> found = scores();
  if (!found) return;
  setup_.rehearsal->set_before(*found);
  if (setup_.rehearsal->knows_before() || !setup_.rehearsal->has_limit()) return;
  err_ << "warning: [training.rehearsal] max_drop: no score of this pipeline has an F for each old "
          "label, so it is not checked\n";
}

std::optional<RunEnd> TrainingRun::limit_reached() const {
  const TrainingSettings& settings = setup_.settings;
  if (state_.step == 0) return std::nullopt;
  const std::int64_t without_gain = last_step() - best_step(state_);
  if (settings.patience > 0 && without_gain >= settings.patience) return RunEnd::patience;
  if (settings.max_steps > 0 && last_step() >= settings.max_steps) return RunEnd::max_steps;
  return std::nullopt;
}

// Ranks that step apart may communicate only where all of them come by: these are decided by the
// number of the step, which is the same everywhere.
bool TrainingRun::meets() const {
  return evaluation_is_due() || is_step_to_save() || limit_reached();
}

// ---- an evaluation

bool TrainingRun::is_evaluated() const {
  return !state_.results.empty() && state_.results.back().second == last_step();
}

// The first step is evaluated as well: step 0 is a multiple of any frequency.
bool TrainingRun::evaluation_is_due() const {
  return state_.step > 0 && last_step() % setup_.settings.eval_frequency == 0 && !is_evaluated();
}

// Nothing of the state is changed before the scores are there: an evaluation that was interrupted
// is made anew by the run that goes on.
bool TrainingRun::evaluate() {
  wait_and_check();
  say_whether_it_pays();
  std::optional<Scores> found = scores();
  if (!found) return false;
  warn_of_unknown_scores(*found);
  warn_of_infinite(*found, score_weights_, last_step(), err_);
  ranks_.gather_losses(state_.losses);
  state_.losses = losses_of_all();
  const std::optional<GradientCounts> counts = ranks_.gradient_counts();
  state_.results.emplace_back(main_score(*found, score_weights_), last_step());
  if (setup_.rehearsal != nullptr) setup_.rehearsal->evaluated(*found, last_is_best(state_));
  TrainingInfo info = evaluation_info(state_, std::move(*found));
  info.misaligned = misaligned_counts(setup_.settings, train_misaligned_, dev_misaligned_);
  info.learn_rate = learn_rate();
  info.precision = precision_.log_line();
  if (counts) info.gradients = log_line(*counts);
  run_logger([&] { log_->evaluated(info); });
  describe_in_meta(setup_.nlp, score_weights_, info.other_scores, info.losses);
  warn_of_growing_loss();
  if (counts) warn_of_stale(*counts);
  state_.losses.clear();
  state_.words_at_evaluation = state_.words;
  state_.seconds_at_evaluation = state_.seconds;
  return true;
}

// None may have come from batches without annotation; loggers and meta.json have one for each
// component.
Losses TrainingRun::losses_of_all() const {
  Losses losses = state_.losses;
  for (const std::string& name : setup_.nlp.trainable(setup_.settings.frozen_components)) {
    losses.try_emplace(name, 0.0);
  }
  return losses;
}

void TrainingRun::score_last() {
  const bool is_wanted = saves_ || setup_.rehearsal != nullptr;
  if (!is_wanted || state_.step == 0 || is_evaluated()) return;
  batches_.wait();
  const std::optional<Scores> found = scores();
  if (!found) return;
  if (setup_.rehearsal != nullptr) setup_.rehearsal->set_last(*found);
  describe_in_meta(setup_.nlp, score_weights_, *found, losses_of_all());
}

std::optional<Scores> TrainingRun::scores() {
  std::optional<Scores> found;
  precision_.evaluate([&] { with_averages([&] { found = ranks_.from_root(scores_here()); }); });
  return found;
}

// All ranks annotate, rank 0 scores. An interruption is looked at where it is alike on all ranks:
// on one with every document.
std::optional<Scores> TrainingRun::scores_here() {
  // Prediction and the passes of a step do not need their memory at the same time, and saving needs
  // neither's.
  runner_.release_memory();
  const bool is_alone = ranks_.size() == 1;
  bool is_cut = false;
  RunProgress* progress = setup_.progress;
  if (progress != nullptr) progress->begin_evaluation(dev_.documents());
  const ExampleStreamPtr all = dev_.open();
  const ExampleStreamPtr examples = stream_of([&]() -> ExamplePtr {
    is_cut = is_cut || (is_alone && is_interrupted_here());
    return is_cut ? nullptr : all->next();
  });
  const auto annotated = [&](std::int64_t documents) {
    if (progress != nullptr) progress->evaluated(documents);
  };
  Evaluation evaluation(setup_.nlp, setup_.pool);
  if (!is_alone) {
    const auto annotate = [&](std::span<Doc* const> docs) {
      is_cut = ranks_.interrupted(is_interrupted_here(), true) || is_cut;
      ranks_.annotate(setup_.nlp, docs, setup_.pool);
      return docs.size();
    };
    evaluation.annotate_by(annotate, kTokensOfRank * static_cast<std::size_t>(ranks_.size()));
    if (!ranks_.is_root()) evaluation.annotate_only();
  }
  evaluation.read(*examples, annotated);
  std::optional<Scores> scores;
  ranks_.on_root([&] { scores = evaluation.finish(); });
  release_prediction_memory();
  if (progress != nullptr) progress->end_evaluation();
  if (is_cut) return std::nullopt;
  return scores;
}

// Evaluations and saved pipelines use the running means of the parameters where the optimizer keeps
// them. They are put back whatever happens: the next step starts from the parameters.
void TrainingRun::with_averages(const std::function<void()>& action) {
  const bool swaps = optimizer_->keeps_averages();
  if (swaps) optimizer_->swap_averages(runner_.parameters());
  try {
    if (swaps) ranks_.share_weights();
    action();
  } catch (...) {
    if (swaps) optimizer_->swap_averages(runner_.parameters());
    throw;
  }
  if (!swaps) return;
  optimizer_->swap_averages(runner_.parameters());
  ranks_.share_weights();
}

// The strings and counts of data that is being read are part of the log and of what is saved.
void TrainingRun::wait_and_check() {
  batches_.wait();
  bring_weights_up_to_date();
  check_parameters(runner_.parameters(), last_step());
}

// Rows that wait make their steps on all threads; the pipeline by itself would take one.
void TrainingRun::bring_weights_up_to_date() {
  optimizer_->finish(runner_.tasks());
  setup_.nlp.copy_weights_to_host();
}

double TrainingRun::learn_rate() const {
  const std::int64_t last = std::max<std::int64_t>(0, optimizer_->schedule_step() - 1);
  return optimizer_->settings().learn_rate(last);
}

// ---- messages

// Warnings, and the notes of the start; a note for every growth of the scale would be noise.
void TrainingRun::say(const Notice& notice) {
  if (notice.code == "P027" && !setup_.verbose) return;
  err_ << (notice.severity == Severity::note ? "note: " : "warning: ") << notice.str() << '\n';
}

// Where the run is profiled, once: the shares hardly change.
void TrainingRun::say_whether_it_pays() {
  OpProfile* profile = OpProfile::current();
  if (profile == nullptr || said_whether_it_pays_) return;
  said_whether_it_pays_ = true;
  for (const Notice& notice : check_gain(precision_.policy(), profile->shares())) say(notice);
}

// Names that scorers give show in an evaluation alone, those of plugins above all.
void TrainingRun::warn_of_unknown_scores(const Scores& scores) {
  if (std::exchange(knows_scores_, true)) return;
  WarningLimit warnings(err_);
  for (const Problem& problem : unknown_score_weights(score_weights_, scores)) {
    warnings.show("weights without a score", "warning: " + problem.str());
  }
  warnings.summarize();
}

void TrainingRun::warn_of_growing_loss() {
  const LossReading reading{.step = last_step(),
                            .score = state_.results.back().first,
                            .losses = state_.losses,
                            .words = state_.words - state_.words_at_evaluation};
  const auto found = loss_history_.look_at(reading);
  if (found) err_ << "warning: " << growing_loss_message(*found, reading, learn_rate()) << '\n';
}

void TrainingRun::warn_of_stale(const GradientCounts& counts) {
  constexpr double many = 0.25;
  if (warned_of_stale_ || counts.stale_share() <= many) return;
  warned_of_stale_ = true;
  err_ << "warning: " << stale_message(counts) << '\n';
}

void TrainingRun::close_log(LogEnd end) {
  run_logger([&] {
    log_->ended(end);
    log_->finish();
  });
}

}  // namespace weft
