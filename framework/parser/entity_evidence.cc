#include "framework/parser/entity_evidence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <tuple>

#include "framework/parser/state_batch.h"

namespace weft {

using transition::Action;
using transition::EntitySystem;
using transition::State;

namespace {

// Follows one parse; `found(start, end, label)` is told of every entity that it closes.
template <class Found>
void for_each_entity(std::span<const std::int32_t> classes, std::span<const Action> actions,
                     const Found& found) {
  State state;
  for (const std::int32_t taken : classes) {
    const Action& action = actions[static_cast<std::size_t>(taken)];
    const int end = state.position + 1;
    if (action.move == Move::unit && action.label != 0) {
      found(end - 1, end, action.label);
    } else if (action.move == Move::last && state.is_open()) {
      found(state.open_start, end, state.open_label);
    }
    transition::apply(state, action);
  }
}

// A state is its position and its open entity; nothing of the parse before matters to its features,
// so the states of an entity are made from its span alone.
// The states in which the actions of an entity were taken, one for each of its tokens.
std::vector<State> states_of(const State& start, const Span& entity) {
  std::vector<State> states;
  for (int token = entity.start; token < entity.end; ++token) {
    State state = start;
    state.position = token;
    if (token > entity.start) {
      state.open_start = entity.start;
      state.open_label = entity.label;
    }
    states.push_back(state);
  }
  return states;
}

// Scored entities wait for their states to be scored together.
class Evidence {
 public:
  Evidence(const StateScorer& scorer, const EntityInput& input) : batch_(scorer), input_(input) {}

  void add(const State& start, const Span& entity) {
    for (const State& state : states_of(start, entity)) {
      EntitySystem::features(state, batch_.features(), batch_.add());
      states_.push_back(state);
    }
  }

  void score(Context& ctx) {
    if (batch_.count() > 0) batch_.score(ctx, input_.unseen, nullptr);
  }

  // Of the next entity, in the order in which they were added.
  ActionScores take(int tokens, std::span<const std::int32_t> classes) {
    ActionScores actions;
    for (int i = 0; i < tokens; ++i, ++row_) {
      const float* scores = batch_.scores(row_);
      const auto valid = EntitySystem::valid(states_[static_cast<std::size_t>(row_)], input_.marks);
      const auto taken = static_cast<std::size_t>(classes[static_cast<std::size_t>(i)]);
      const std::size_t before = actions.scores.size();
      actions.scores.push_back(scores[taken]);
      for (std::size_t k = 0; k < input_.actions.size(); ++k) {
        if (k != taken && valid.allows(input_.actions[k])) actions.scores.push_back(scores[k]);
      }
      actions.counts.push_back(static_cast<std::int32_t>(actions.scores.size() - before));
    }
    return actions;
  }

 private:
  StateBatch batch_;
  const EntityInput& input_;
  std::vector<State> states_;
  int row_ = 0;
};

}  // namespace

double ActionScores::log_probability(double temperature) const {
  double sum = 0;
  const float* score = scores.data();
  for (const std::int32_t count : counts) {
    // The first score of an action is that of the class taken; the largest one is subtracted from
    // all, so that exp stays within bounds at any temperature.
    const double best = *std::max_element(score, score + count);
    double terms = 0;
    for (int k = 0; k < count; ++k) terms += std::exp((score[k] - best) / temperature);
    sum += (*score - best) / temperature - std::log(terms);
    score += count;
  }
  return sum;
}

std::vector<std::vector<EntityEvidence>> entity_evidence(Context& ctx, const StateScorer& scorer,
                                                         const EntityInput& input,
                                                         std::span<const State> states,
                                                         const ClassSequences& classes) {
  Evidence evidence(scorer, input);
  std::vector<std::vector<EntityEvidence>> found(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    for_each_entity(classes[i], input.actions, [&](int start, int end, std::uint64_t label) {
      found[i].push_back({{start, end, label}, {}});
      evidence.add(states[i], found[i].back().entity);
    });
  }
  evidence.score(ctx);
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (EntityEvidence& one : found[i]) {
      const int tokens = one.entity.end - one.entity.start;
      const std::span<const std::int32_t> taken(classes[i]);
      one.actions = evidence.take(tokens, taken.subspan(static_cast<std::size_t>(one.entity.start),
                                                        static_cast<std::size_t>(tokens)));
    }
  }
  return found;
}

std::vector<EntConfidence> entity_shares(const BeamAnalyses& analyses,
                                         std::span<const Action> actions) {
  const std::vector<double> probability = probabilities(analyses);
  std::map<std::tuple<int, int, std::uint64_t>, double> shares;
  for (std::size_t a = 0; a < analyses.size(); ++a) {
    for_each_entity(analyses[a].classes, actions, [&](int start, int end, std::uint64_t label) {
      const std::tuple place(start, end, label);
      // Analyses come best first. An entity of a lesser analysis alone is not annotated and has no
      // share.
      if (a == 0) shares[place] = 0;
      if (const auto found = shares.find(place); found != shares.end()) {
        found->second += probability[a];
      }
    });
  }
  std::vector<EntConfidence> result;
  for (const auto& [place, share] : shares) {
    const auto& [start, end, label] = place;
    result.push_back({{start, end, label}, share});
  }
  return result;
}

}  // namespace weft
