// The scores by which a recognizer found an entity, and how probable they make it
// (docs/confidence.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/parser/entity_parses.h"
#include "framework/text/ent_confidence.h"
#include "registry/base/export.h"

namespace weft {

// The scores of the actions of one entity: for each action those of all classes that were valid,
// the one that was taken first.
struct WEFT_API ActionScores {
  std::vector<float> scores;
  std::vector<std::int32_t> counts;  // of each action

  // The sum, over the actions, of the logarithm of the softmax of the scores at a temperature.
  double log_probability(double temperature) const;
};

struct EntityEvidence {
  Span entity;  // place and label
  ActionScores actions;
};

// The entities that parses found: `classes` holds the classes that they took, `states` where they
// started.
WEFT_API std::vector<std::vector<EntityEvidence>> entity_evidence(
    Context& ctx, const StateScorer& scorer, const EntityInput& input,
    std::span<const transition::State> states, const ClassSequences& classes);

// The entities of the best analysis of a beam, each with the sum of the probabilities of all
// analyses that hold it (spaCy 3.8, scored_ents).
WEFT_API std::vector<EntConfidence> entity_shares(const BeamAnalyses& analyses,
                                                  std::span<const transition::Action> actions);

}  // namespace weft
