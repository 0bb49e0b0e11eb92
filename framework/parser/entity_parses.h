// Parses of the entity recognizer's transition system, for the scoring network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/parser/beam_gradient.h"
#include "framework/parser/beam_search.h"
#include "framework/parser/beam_settings.h"
#include "framework/parser/parse_batch.h"
#include "framework/parser/training_parses.h"
#include "registry/base/export.h"

namespace weft {

using EntityInput = ParseInput<transition::EntitySystem>;

// The marks of so many tokens where the context runs (placed_task).
transition::TokenMarks placed_marks(Context& ctx, const transition::TokenMarks& marks,
                                    std::int64_t tokens);

// `states`, which outlive the batch: where each parse starts.
WEFT_API ParseBatch entity_parses(const EntityInput& input,
                                  std::span<const transition::State> states);

// The best analyses of each document, found with beams: one class for each of its tokens.
WEFT_API std::vector<BeamAnalyses> entity_beams(Context& ctx, const StateScorer& scorer,
                                                const EntityInput& input,
                                                std::span<const transition::State> states,
                                                const BeamSettings& settings);

// `parses` outlive the batch. On a device they come longest first (ParseOrder): sums differ by
// rounding. `max_rounds`: 0 is no limit.
WEFT_API TrainingBatch entity_training(const Context& ctx, const EntityInput& input,
                                       const TrainingParses& parses, int max_rounds);
// The same for an update with beams; the parses are whole documents.
WEFT_API BeamBatch entity_beam_training(const EntityInput& input, const TrainingParses& parses,
                                        const BeamSettings& settings);

// The known wrong spans of all parses in one array.
struct FlatNegatives {
  std::vector<transition::NegativeSpan> spans;
  std::vector<std::int32_t> begin;  // (parses + 1); empty: there are none at all

  WEFT_API explicit FlatNegatives(std::span<const std::vector<transition::NegativeSpan>> of_parses);

  // With the tags of all tokens. It points to both.
  WEFT_API transition::EntitySystem::BatchGold gold(std::span<const GoldTag> tags) const;
};

}  // namespace weft
