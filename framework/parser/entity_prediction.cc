// Prediction by the entity recognizer: greedy parses, beams, and how sure it is of the
// entities.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "framework/ops/state_scores.h"
#include "framework/parser/entity_parses.h"
#include "framework/parser/entity_recognizer.h"
#include "framework/parser/parser_network.h"
#include "framework/parser/token_marks.h"
#include "framework/text/ent_confidence.h"

namespace weft {

using transition::State;

namespace {

bool are_final(std::span<const State> states) {
  return std::all_of(states.begin(), states.end(), [](const State& s) { return s.is_final(); });
}

}  // namespace

void EntityRecognizer::predict(Context& ctx, std::span<Doc* const> docs, Slots&) const {
  if (beam().searches()) {
    predict_with_beams(ctx, docs);
    // Confidences need the scores of the states once more, from an op that only some devices have.
  } else if (!calibration_ || !ctx.has<ScoreStates>()) {
    predict_greedily(ctx, docs, nullptr);
  } else {
    const auto evidence = predict_with_evidence(ctx, docs);
    for (std::size_t i = 0; i < docs.size(); ++i) {
      std::vector<EntConfidence> confidences;
      for (const EntityEvidence& one : evidence[i]) {
        confidences.push_back({one.entity, calibration_->confidence(one.actions)});
      }
      set_ent_confidences(*docs[i], confidences);
    }
  }
}

std::vector<std::vector<EntityEvidence>> EntityRecognizer::predict_with_evidence(
    Context& ctx, std::span<Doc* const> docs) const {
  std::vector<std::vector<EntityEvidence>> evidence(docs.size());
  predict_greedily(ctx, docs, &evidence);
  return evidence;
}

void EntityRecognizer::predict_greedily(Context& ctx, std::span<Doc* const> docs,
                                        std::vector<std::vector<EntityEvidence>>* evidence) const {
  const std::vector<const Doc*> inputs(docs.begin(), docs.end());
  const TokenMarks marks(inputs);
  const std::vector<State> states = first_states(inputs);
  const EntityClasses known(actions_, unseen_, inputs);
  const EntityInput input{known.actions(), known.unseen(), marks.view()};
  ClassSequences classes(docs.size());
  if (!are_final(states)) {
    const ScoredTokens tokens =
        scored_tokens(ctx, model(), token_vectors(ctx, inputs), Scoring::greedy_prediction,
                      LowerFeatures::first, known.more());
    classes = entity_parses(input, states)(ctx, tokens.scorer);
    if (evidence != nullptr) {
      *evidence = entity_evidence(ctx, tokens.scorer, input, states, classes);
    }
  }
  for (std::size_t i = 0; i < docs.size(); ++i) {
    annotate(*docs[i], classes[i], known.actions());
  }
}

StateVisits EntityRecognizer::visited_states(Context& ctx, const StateScorer& scorer,
                                             std::span<const Doc* const> docs) const {
  const TokenMarks marks(docs);
  const std::vector<State> states = first_states(docs);
  const ClassSequences classes =
      entity_parses({actions_, unseen_, marks.view()}, states)(ctx, scorer);
  // The greedy parse is followed a second time, now for the features of each state on the way.
  StateVisits visits;
  const auto count = static_cast<std::size_t>(scorer.shape.features);
  for (std::size_t i = 0; i < states.size(); ++i) {
    State state = states[i];
    int round = 0;
    for (const std::int32_t taken : classes[i]) {
      if (state.is_final()) break;
      const std::size_t begin = visits.features.size();
      visits.features.resize(begin + count);
      transition::features(state, scorer.shape.features, visits.features.data() + begin);
      visits.rounds.push_back(round++);
      if (taken < 0) break;
      transition::apply(state, actions_[static_cast<std::size_t>(taken)]);
    }
  }
  return visits;
}

std::vector<BeamAnalyses> EntityRecognizer::beams(Context& ctx,
                                                  std::span<const Doc* const> docs) const {
  return beams(ctx, EntityClasses(actions_, unseen_, docs), docs);
}

std::vector<BeamAnalyses> EntityRecognizer::beams(Context& ctx, const EntityClasses& classes,
                                                  std::span<const Doc* const> docs) const {
  const TokenMarks marks(docs);
  const std::vector<State> states = first_states(docs);
  const ScoredTokens tokens =
      scored_tokens(ctx, model(), token_vectors(ctx, docs), Scoring::step_by_step,
                    LowerFeatures::all, classes.more());
  const EntityInput input{classes.actions(), classes.unseen(), marks.view()};
  return entity_beams(ctx, tokens.scorer, input, states, beam());
}

void EntityRecognizer::predict_with_beams(Context& ctx, std::span<Doc* const> docs) const {
  const std::vector<const Doc*> inputs(docs.begin(), docs.end());
  std::vector<BeamAnalyses> found(docs.size());
  const EntityClasses known(actions_, unseen_, inputs);
  if (!are_final(first_states(inputs))) found = beams(ctx, known, inputs);
  for (std::size_t i = 0; i < docs.size(); ++i) {
    std::vector<std::int32_t> classes;
    // The best analysis annotates; all analyses together say how sure its entities are.
    if (!found[i].empty()) classes = found[i].front().classes;
    annotate(*docs[i], classes, known.actions());
    set_ent_confidences(*docs[i], entity_shares(found[i], known.actions()));
  }
}

}  // namespace weft
