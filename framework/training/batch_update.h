// The batch of a step, and the gradients of its parts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "framework/pipeline/shard_runner.h"
#include "framework/training/batches.h"
#include "framework/training/training_settings.h"

namespace weft {

// The batch in the order in which it is trained on, from short to long: parts of a batch and shards
// of a part get documents of like lengths. Annotation added by annotating components must not be
// there when it is trained on again: where there are any, these are copies.
WEFT_API std::vector<ExamplePtr> prepared_batch(std::vector<ExamplePtr> batch,
                                                const TrainingSettings& settings);

WEFT_API std::vector<Example*> examples_of(std::span<const ExamplePtr> batch);

// How the batches of a run are made; `misaligned` may be null.
WEFT_API TrainingBatches::Options batch_options(const TrainingSettings& settings,
                                                MisalignedReport* misaligned = nullptr);

struct StepBatch {
  std::uint64_t number = 0;            // of the step, from 0
  std::span<Example* const> examples;  // outlive the step
  std::size_t parts = 1;               // gradients of so many are added up, one after the other
  std::uint64_t parts_before = 0;      // of the same step, whose gradients are there already
  double dropout = 0.0;
  // Adds further gradients to those of the batch; gives its losses. Empty: none.
  std::function<Losses()> further = {};
};

// Adds the gradients of all parts of the batch to those of the runner; gives the sum of the
// losses. Throws as ShardRunner::accumulate does.
WEFT_API Losses run_shards(ShardRunner& runner, const StepBatch& batch);

}  // namespace weft
