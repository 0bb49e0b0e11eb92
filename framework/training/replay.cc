#include "framework/training/replay.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/precision/element_type.h"
#include "framework/training/batch_update.h"
#include "framework/training/batches.h"
#include "framework/training/data_facts.h"
#include "framework/training/precision_session.h"
#include "framework/training/required_section.h"
#include "framework/training/resolve_corpus.h"
#include "framework/training/resume.h"
#include "framework/training/step.h"
#include "registry/base/error.h"

namespace weft {
namespace {

ParameterReport report_of(const NamedParameter& named, const Gradients& gradients) {
  ParameterReport report;
  report.name = named.name;
  const Tensor value = cast_to(DType::f32, named.parameter->value);
  for (std::int64_t i = 0; i < value.size(); ++i) {
    const double x = value.data<float>()[i];
    if (!std::isfinite(x)) ++report.bad_values;
    if (std::isfinite(x)) report.largest_value = std::max(report.largest_value, std::abs(x));
  }
  const Tensor* gradient = gradients.find(*named.parameter);
  double squares = 0.0;
  for (std::int64_t i = 0; gradient != nullptr && i < gradient->size(); ++i) {
    const double x = gradient->data<float>()[i];
    if (!std::isfinite(x)) ++report.bad_gradients;
    if (std::isfinite(x)) squares += x * x;
  }
  report.gradient_norm = std::sqrt(squares);
  return report;
}

// The pipeline is the replay's own: nobody minds that it is changed.
std::string fault_of_step(const ReplayedStep& replayed, TrainingStep& step) {
  const auto& all = replayed.parameters;
  const bool finite = std::all_of(all.begin(), all.end(), [](const ParameterReport& report) {
    return report.bad_gradients == 0;
  });
  if (!finite || !replayed.bad_loss.empty()) return "";
  try {
    step.apply();
  } catch (const StepError& error) {
    return error.message();
  }
  return "";
}

}  // namespace

ReplayedStep replay_step(const std::filesystem::path& checkpoint, const Config& config,
                         const Catalogue& catalogue, int threads) {
  const ResumedRun resumed = open_checkpoint(checkpoint, config, catalogue);
  const Config values = expanded(resumed.config);
  TrainingSettings settings = required_section<TrainingSettings>(values, "training", catalogue);
  const Reader corpus = resolve_corpus(values, settings.train_corpus, catalogue);
  check_same_data(resumed.checkpoint.data, data_facts(values), {settings.train_corpus});
  const std::shared_ptr<Language> nlp = build_pipeline(resumed.config, catalogue);
  restore_pipeline(resumed.checkpoint, checkpoint, *nlp);
  resolve_freezing(*nlp, settings);
  TrainingState state = resumed.checkpoint.training;
  const auto seed = static_cast<std::uint64_t>(settings.seed.value_or(0));
  TrainingBatches batches(corpus, *nlp, *settings.batcher, batch_options(settings), state);
  WorkerPool pool(threads);
  ShardRunner runner(*nlp, pool, {.seed = seed, .annotating = settings.annotating_components});
  runner.freeze(settings.freezing.at(state.step));
  PrecisionSession precision(settings.precision, *nlp, runner, *settings.optimizer,
                             [](const Notice&) {});
  precision.restore(resumed.checkpoint.precision);
  TrainingStep step(runner, *settings.optimizer, precision);
  // The same draws as in the run: batches, dropout and augmentation are keyed by seed, step and
  // epoch, and the state says which step comes next.
  ReplayedStep replayed;
  replayed.step = state.step;
  replayed.epoch = state.epoch;
  replayed.batch = prepared_batch(batches.next(), settings);
  const std::vector<Example*> examples = examples_of(replayed.batch);
  try {
    replayed.losses =
        step.accumulate({.number = static_cast<std::uint64_t>(state.step),
                         .examples = examples,
                         .parts = static_cast<std::size_t>(settings.accumulate_gradient),
                         .dropout = settings.dropout});
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::diverged) throw;
    replayed.bad_loss = error.message();
  }
  if (precision.scaler() != nullptr) runner.gradients().scale(precision.scaler()->inverse_scale());
  for (const NamedParameter& named : runner.parameters()) {
    replayed.parameters.push_back(report_of(named, runner.gradients()));
  }
  restore_optimizer(resumed.checkpoint, runner.parameters(), *settings.optimizer);
  replayed.bad_step = fault_of_step(replayed, step);
  return replayed;
}

}  // namespace weft
