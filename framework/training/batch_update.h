// The gradients of one batch, as [training] asks for them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/pipeline/updater.h"
#include "framework/training/batches.h"
#include "framework/training/settings.h"

namespace weft {

// The batch in the order in which it is trained on, from short to long: parts of a batch and shards
// of a part get documents of like lengths. What annotating components add to a document must not be
// there when it is trained on again: where there are any, these are copies.
WEFT_API std::vector<ExamplePtr> prepared_batch(std::vector<ExamplePtr> batch,
                                                const TrainingSettings& settings);

// How the batches of a run are made; `misaligned` may be null.
WEFT_API TrainingBatches::Options batch_options(const TrainingSettings& settings,
                                                MisalignedReport* misaligned = nullptr);

// Adds the gradients of all parts of the batch to those of the updater; gives the sum of the
// losses. Throws as Updater::accumulate does.
WEFT_API Losses accumulate_batch(Updater& updater, const TrainingSettings& settings,
                                 std::span<const ExamplePtr> batch, std::int64_t step);

}  // namespace weft
