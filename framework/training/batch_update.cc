#include "framework/training/batch_update.h"

#include <algorithm>

#include "framework/text/example.h"

namespace weft {
namespace {

// `count` parts of equal size; the rest forms one more.
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

}  // namespace

std::vector<ExamplePtr> prepared_batch(std::vector<ExamplePtr> batch,
                                       const TrainingSettings& settings) {
  std::stable_sort(batch.begin(), batch.end(), [](const ExamplePtr& left, const ExamplePtr& right) {
    return left->size() < right->size();
  });
  if (settings.annotating_components.empty()) return batch;
  for (ExamplePtr& example : batch) example = std::make_shared<Example>(*example);
  return batch;
}

TrainingBatches::Options batch_options(const TrainingSettings& settings,
                                       MisalignedReport* misaligned) {
  return {.max_epochs = settings.max_epochs,
          .seed = static_cast<std::uint64_t>(settings.seed.value_or(0)),
          .shuffle_window = settings.shuffle_window,
          .misaligned = misaligned};
}

Losses run_shards(ShardRunner& runner, const StepBatch& batch) {
  Losses sum;
  std::uint64_t number = batch.parts_before;
  for (const auto part : parts_of(batch.examples, batch.parts)) {
    const Losses losses = runner.accumulate(part, batch.dropout, batch.number, number++);
    for (const auto& [name, loss] : losses) sum[name] += loss;
  }
  if (batch.further) {
    for (const auto& [name, loss] : batch.further()) sum[name] += loss;
  }
  return sum;
}

std::vector<Example*> examples_of(std::span<const ExamplePtr> batch) {
  std::vector<Example*> examples;
  for (const ExamplePtr& example : batch) examples.push_back(example.get());
  return examples;
}

}  // namespace weft
