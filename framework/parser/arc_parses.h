// Parses of the dependency parser's transition system, for the scoring network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/ops/arc_system.h"
#include "framework/parser/beam_gradient.h"
#include "framework/parser/beam_search.h"
#include "framework/parser/beam_settings.h"
#include "framework/parser/parse_batch.h"
#include "framework/text/doc.h"
#include "framework/text/projective.h"
#include "registry/base/export.h"

namespace weft {

using ArcInput = ParseInput<transition::ArcSystem>;

// The marks of so many tokens where the context runs (placed_task).
transition::ArcMarks placed_marks(Context& ctx, const transition::ArcMarks& marks,
                                  std::int64_t tokens);

// A parse at the first token of every document, in order; rows count on over the documents.
WEFT_API std::vector<transition::ArcState> first_arc_states(std::span<const Doc* const> docs);

// The sentence marks of all tokens of a batch, for ArcMarks.
WEFT_API std::vector<std::int8_t> sentence_marks(std::span<const Doc* const> docs);

// Parses greedily from `states`, which outlive it.
WEFT_API ParseBatch arc_parses(const ArcInput& input, std::span<const transition::ArcState> states);

// The best analyses of each document, found with beams.
WEFT_API std::vector<BeamAnalyses> arc_beams(Context& ctx, const StateScorer& scorer,
                                             const ArcInput& input,
                                             std::span<const transition::ArcState> states,
                                             const BeamSettings& settings);

// The parses of one shard of a training batch and the gold annotation they are judged by.
struct ArcTraining {
  std::vector<transition::ArcState> states;      // whole documents first, then pieces
  std::vector<const transition::ArcGold*> gold;  // of each state
};

// `parses` outlive the batch. `max_rounds`: 0 is no limit.
WEFT_API TrainingBatch arc_training(const Context& ctx, const ArcInput& input,
                                    const ArcTraining& parses, int max_rounds);

// The same for an update with beams; the parses are whole documents.
WEFT_API BeamBatch arc_beam_training(const ArcInput& input, const ArcTraining& parses,
                                     const BeamSettings& settings);

// The tree that a sequence of classes builds over a document; tokens without an arc keep the head
// and label that they have, and roots get the label "ROOT".
WEFT_API DependencyTree tree_of(const Doc& doc, std::span<const std::int32_t> classes,
                                std::span<const transition::ArcAction> actions);

}  // namespace weft
