// Parses of the entity recognizer's transition system, for the scoring network.
#pragma once

#include <cstdint>
#include <span>

#include "framework/parser/parse_batch.h"
#include "framework/parser/training_parses.h"
#include "registry/base/export.h"

namespace weft {

// Arrays that all parses of a group of documents share. They outlive the batches made of it.
struct EntityInput {
  std::span<const transition::Action> actions;  // class order
  std::span<const std::uint8_t> unseen;         // see TransitionTaskOf
  transition::TokenMarks marks;
};

// `states`, which outlive the batch: where each parse starts.
WEFT_API ParseBatch entity_parses(const EntityInput& input,
                                  std::span<const transition::State> states);

// `parses` outlive the batch. On a device they come in the order of `longest_first`: sums differ by
// rounding. `max_rounds`: 0 is no limit.
WEFT_API TrainingBatch entity_training(const Context& ctx, const EntityInput& input,
                                       const TrainingParses& parses, int max_rounds);

}  // namespace weft
