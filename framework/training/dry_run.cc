#include "framework/training/dry_run.h"

#include <algorithm>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "framework/pipeline/byte_size.h"
#include "framework/pipeline/memory_estimate.h"
#include "framework/training/batch_update.h"
#include "framework/training/evaluation_corpus.h"
#include "framework/training/misaligned_report.h"

namespace weft {
namespace {

// A run without end is not looked at to its end.
constexpr std::int64_t kMostBatches = 20000;

double estimated_bytes(const Language& nlp, const std::vector<ExamplePtr>& batch) {
  std::vector<std::size_t> lengths;
  lengths.reserve(batch.size());
  for (const ExamplePtr& example : batch) {
    lengths.push_back(static_cast<std::size_t>(example->size()));
  }
  return training_bytes(nlp).of(lengths);
}

std::int64_t words_of(const std::vector<ExamplePtr>& batch) {
  std::int64_t words = 0;
  for (const ExamplePtr& example : batch) words += example->size();
  return words;
}

// The batch with the most words; counts those it looked at.
std::vector<ExamplePtr> longest_batch(TrainingBatches& batches, const TrainingSettings& settings,
                                      const TrainingState& state, std::int64_t& count) {
  const std::int64_t most =
      settings.max_steps > 0 ? std::min(settings.max_steps + 1, kMostBatches) : kMostBatches;
  std::vector<ExamplePtr> longest;
  for (count = 0; count < most; ++count) {
    std::vector<ExamplePtr> batch = batches.next();
    if (batch.empty() || (settings.max_epochs < 0 && state.epoch > 0)) break;
    if (words_of(batch) > words_of(longest)) longest = std::move(batch);
  }
  return longest;
}

double largest_process() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

void describe(const std::vector<ExamplePtr>& batch, DryRun& run) {
  run.documents = static_cast<std::int64_t>(batch.size());
  run.words = words_of(batch);
  for (const ExamplePtr& example : batch) {
    if (example->size() <= run.longest) continue;
    run.longest = example->size();
    run.longest_place = example->place().str();
  }
}

}  // namespace

DryRun dry_run(const TrainingSetup& setup, std::ostream& err) {
  const TrainingSettings& settings = setup.settings;
  MisalignedReport train(settings.train_corpus, setup.train_corpus.on_misaligned, err);
  MisalignedReport dev(settings.dev_corpus, setup.dev_corpus.on_misaligned, err);
  TrainingState state;
  TrainingBatches batches(setup.train_corpus, setup.nlp, *settings.batcher,
                          batch_options(settings, &train), state);
  const EvaluationCorpus dev_corpus(setup.dev_corpus, setup.nlp, setup.memory.evaluation_data, dev);
  DryRun run;
  run.memory = setup.memory;
  run.held_data = batches.held_bytes() + dev_corpus.held_bytes();
  const std::vector<ExamplePtr> batch =
      prepared_batch(longest_batch(batches, settings, state, run.batches), settings);
  describe(batch, run);
  const auto seed = static_cast<std::uint64_t>(settings.seed.value_or(0));
  ShardRunner runner(setup.nlp, setup.pool,
                     {.seed = seed,
                      .frozen = settings.frozen_components,
                      .annotating = settings.annotating_components,
                      .memory = memory_for_step(setup.memory, run.held_data)});
  const std::vector<Example*> examples = examples_of(batch);
  const auto parts = static_cast<std::size_t>(settings.accumulate_gradient);
  run.losses =
      run_shards(runner, {.examples = examples, .parts = parts, .dropout = settings.dropout});
  run.estimated =
      estimated_bytes(setup.nlp, batch) / static_cast<double>(settings.accumulate_gradient);
  run.measured = static_cast<double>(runner.peak());
  run.process = largest_process();
  return run;
}

void print(const DryRun& run, std::ostream& out) {
  const auto row = [&](std::string_view name, double bytes) {
    out << fmt::format("  {:<52}{:>10}\n", name, byte_size_text(bytes));
  };
  out << fmt::format(
      "longest of {} batches: {} documents, {} words; its longest document has {}{}\n", run.batches,
      run.documents, run.words, run.longest,
      run.longest_place.empty() ? "" : " (" + run.longest_place + ")");
  out << "memory\n";
  row("the program, with word vectors", run.memory.program);
  row("parameters, gradients, moments and averages", run.memory.parameters);
  row("examples in memory", static_cast<double>(run.held_data));
  row("the batch forward and back, estimated", run.estimated);
  row("the batch forward and back, measured", run.measured);
  row("in all, estimated", run.memory.program + run.memory.parameters +
                               static_cast<double>(run.held_data) + run.estimated);
  row("the process so far, measured", run.process);
  if (run.memory.limit > 0) row("[system] memory", run.memory.limit);
  for (const auto& [name, loss] : run.losses)
    out << fmt::format("loss of {}: {:.2f}\n", name, loss);
  out << "dry run: nothing was trained or written\n";
}

}  // namespace weft
