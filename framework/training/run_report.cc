#include "framework/training/run_report.h"

#include <algorithm>
#include <utility>

namespace weft {

LogSetup log_setup(const TrainingSetup& setup, std::ostream& out, std::ostream& err,
                   bool err_is_terminal) {
  LogSetup log{.nlp = &setup.nlp,
               .out = out,
               .err = err,
               .err_is_terminal = err_is_terminal,
               .max_steps = setup.settings.max_steps,
               .eval_frequency = setup.settings.eval_frequency};
  log.loss_names = setup.nlp.trainable(setup.settings.frozen_components);
  if (setup.rehearsal != nullptr) {
    for (std::string& name : setup.rehearsal->loss_names()) {
      log.loss_names.push_back(std::move(name));
    }
  }
  for (const auto& [name, weight] : setup.settings.score_weights) {
    if (!weight.is_null()) log.score_names.push_back(name);
  }
  if (setup.folder != nullptr) log.output = setup.folder->path();
  log.may_replace = setup.may_replace;
  log.config = setup.config;
  log.resumed = setup.resumed != nullptr ? &setup.resumed->log : setup.resumed_log;
  return log;
}

RunStand run_stand(const TrainingSettings& settings, const TrainingState& state,
                   std::int64_t documents, std::size_t held) {
  RunStand stand{.step = state.step - 1,
                 .epoch = state.epoch,
                 .may_end_sooner = settings.patience > 0,
                 .eval_frequency = settings.eval_frequency};
  if (settings.max_steps > 0) stand.last_step = static_cast<double>(settings.max_steps);
  if (settings.max_epochs > 0 && held > 0) {
    const double passes = static_cast<double>(state.epoch) +
                          static_cast<double>(documents) / static_cast<double>(held);
    const double expected = static_cast<double>(state.step) *
                            static_cast<double>(settings.max_epochs) / std::max(passes, 1e-9);
    stand.last_step = std::min(stand.last_step.value_or(expected), expected - 1.0);
  }
  if (!stand.last_step && settings.patience > 0) {
    stand.last_step = static_cast<double>(best_step(state) + settings.patience);
    stand.may_end_sooner = false;
  }
  return stand;
}

TrainingInfo evaluation_info(const TrainingState& state, Scores scores) {
  TrainingInfo info;
  info.epoch = state.epoch;
  info.step = state.step - 1;
  info.score = state.results.back().first;
  info.other_scores = std::move(scores);
  info.losses = state.losses;
  info.checkpoints = state.results;
  info.words = state.words;
  info.seconds = state.seconds;
  const double seconds = state.seconds - state.seconds_at_evaluation;
  const auto words = static_cast<double>(state.words - state.words_at_evaluation);
  info.words_per_second = seconds > 0 ? words / seconds : 0.0;
  return info;
}

Object misaligned_counts(const TrainingSettings& settings, const MisalignedReport& train,
                         const MisalignedReport& dev) {
  Object all;
  for (const auto& [corpus, report] :
       {std::pair(&settings.train_corpus, &train), std::pair(&settings.dev_corpus, &dev)}) {
    Object counts = report->counts();
    if (!counts.empty()) all.set(*corpus, std::move(counts));
  }
  return all;
}

void describe_in_meta(Language& nlp, const Object& score_weights, const Scores& scores,
                      const Losses& losses) {
  Object performance;
  for (const auto& [name, weight] : score_weights) {
    const Node* score = scores.find(name);
    performance.set(name, score == nullptr || score->is_null() ? Node(0.0) : *score);
  }
  for (const auto& [name, loss] : losses) performance.set(name + "_loss", loss);
  nlp.meta().set("performance", std::move(performance));
}

}  // namespace weft
