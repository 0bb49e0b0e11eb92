// Dependency parses with beams.
#include "framework/parser/arc_parses.h"
#include "framework/parser/beam_training.h"

namespace weft {

using transition::ArcState;
using transition::ArcSystem;

std::vector<BeamAnalyses> arc_beams(Context& ctx, const StateScorer& scorer, const ArcInput& input,
                                    std::span<const ArcState> states,
                                    const BeamSettings& settings) {
  return search_beams<ArcSystem>(ctx, scorer, input, states, settings);
}

BeamBatch arc_beam_training(const ArcInput& input, const ArcTraining& parses,
                            const BeamSettings& settings) {
  return [=, &parses](Context& ctx, const StateScorer& scorer, const DrawMasks& draw) {
    ArcSystem::BatchGold gold;
    gold.parses = parses.gold;
    return learn_from_beams<ArcSystem>(ctx, scorer, draw, input, parses.states, gold, settings);
  };
}

}  // namespace weft
