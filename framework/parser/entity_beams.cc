// Parses of entities with beams.
#include "framework/parser/beam_training.h"
#include "framework/parser/entity_parses.h"

namespace weft {

using transition::EntitySystem;
using transition::State;

std::vector<BeamAnalyses> entity_beams(Context& ctx, const StateScorer& scorer,
                                       const EntityInput& input, std::span<const State> states,
                                       const BeamSettings& settings) {
  return search_beams<EntitySystem>(ctx, scorer, input, states, settings);
}

BeamBatch entity_beam_training(const EntityInput& input, const TrainingParses& parses,
                               const BeamSettings& settings) {
  return [=, &parses](Context& ctx, const StateScorer& scorer, const DrawMasks& draw) {
    const FlatNegatives negatives(parses.negatives);
    const EntitySystem::BatchGold gold = negatives.gold(parses.tags);
    return learn_from_beams<EntitySystem>(ctx, scorer, draw, input, parses.states, gold, settings);
  };
}

}  // namespace weft
