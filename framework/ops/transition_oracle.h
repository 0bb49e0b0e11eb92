// What an action costs given the gold annotation, and the gradient of the scores
// (docs/ner-model.md; spaCy 3.8, BiluoPushDown and its log loss). Plain arithmetic as in
// transition.h; `gold` has one tag for every token of the batch.
#pragma once

#include <cmath>
#include <cstdint>

#include "framework/ops/transition.h"

namespace weft::transition {

// A span that is known not to be an entity of this label; token numbers of its document.
struct NegativeSpan {
  std::int32_t start = 0, end = 0;
  std::uint64_t label = 0;
};

inline constexpr float kInvalidCost = 9000.0F;

// The costs of one state by move; where a label matters there is one for the gold label.
struct MoveCosts {
  float begin = 0, begin_gold = 0, unit = 0, unit_gold = 0, in = 0, last = 0, out = 0;
  std::uint64_t gold_label = 0;

  constexpr float of(Action action) const {
    const bool agrees = action.label == gold_label;
    switch (action.move) {
      case Move::begin:
        return agrees ? begin_gold : begin;
      case Move::unit:
        return agrees ? unit_gold : unit;
      case Move::in:
        return in;
      case Move::last:
        return last;
      case Move::out:
        return out;
      case Move::missing:
        break;
    }
    return kInvalidCost;
  }
};

// An open entity that cannot become right any more: the gold tag at its start opens no entity of
// this label.
constexpr bool is_sunk(const State& state, const GoldTag* gold) {
  if (!state.is_open()) return false;
  const int row = state.first + state.open_start;
  const bool opens = gold[row].move == Move::begin || gold[row].move == Move::unit;
  return !opens || gold[row].label != state.open_label;
}

constexpr float cost_of_in(Move gold, Move next, bool sunk) {
  const bool next_free = next == Move::out || next == Move::missing;
  switch (gold) {
    case Move::last:
      return sunk && next_free ? 0 : 1;
    case Move::out:
      return next_free ? 0 : 1;
    case Move::unit:
      return next == Move::out ? 0 : 1;
    default:
      return 0;
  }
}

constexpr MoveCosts move_costs(const State& state, const GoldTag* gold) {
  const Move tag = gold[state.row()].move;
  const Move next = state.left() > 1 ? gold[state.row() + 1].move : Move::out;
  const bool sunk = is_sunk(state, gold);
  MoveCosts costs;
  costs.gold_label = gold[state.row()].label;
  costs.begin = tag == Move::missing ? 0 : 1;
  costs.begin_gold = tag == Move::begin ? 0 : costs.begin;
  costs.unit = costs.begin;
  costs.unit_gold = tag == Move::unit ? 0 : costs.unit;
  costs.out = tag == Move::begin || tag == Move::unit ? 1 : 0;
  costs.last = tag == Move::in && !sunk ? 1 : 0;
  costs.in = cost_of_in(tag, next, sunk);
  return costs;
}

// True where taking `action` would make, or commit to, a span that is known to be wrong.
constexpr bool makes_negative(const State& state, Action action, const NegativeSpan& span) {
  if (action.label != span.label) return false;
  switch (action.move) {
    case Move::begin:
      return state.left() < 3 && span.start == state.position;
    case Move::unit:
      return span.start == state.position && span.end == state.position + 1;
    case Move::last:
      return state.is_open() && span.start == state.open_start && span.end == state.position + 1;
    default:
      return false;
  }
}

// Fills one cost per class; classes that are not valid cost kInvalidCost.
constexpr void fill_costs(const State& state, const Action* actions, int count,
                          const ValidMoves& valid, const GoldTag* gold,
                          const NegativeSpan* negatives, int negative_count, float* costs) {
  const MoveCosts by_move = move_costs(state, gold);
  for (int k = 0; k < count; ++k) {
    costs[k] = valid.allows(actions[k]) ? by_move.of(actions[k]) : kInvalidCost;
    if (costs[k] == kInvalidCost) continue;
    for (int s = 0; s < negative_count; ++s) {
      if (!makes_negative(state, actions[k], negatives[s])) continue;
      costs[k] += 1;
      break;
    }
  }
}

// The highest-scoring valid class among those as cheap as can be (at most 1); -1 when none is.
constexpr int best_gold(const float* scores, const float* costs, int count) {
  float lowest = 1;
  for (int k = 0; k < count; ++k) lowest = costs[k] < lowest ? costs[k] : lowest;
  int best = -1;
  for (int k = 0; k < count; ++k) {
    if (costs[k] <= lowest && (best < 0 || scores[k] > scores[best])) best = k;
  }
  return best;
}

// Gradient of the log loss over all classes, d = p - q: p is the softmax of all scores, q the one
// over the classes that cost no more than the best gold class. Computed in double, stored in
// float; gives the sum of d squared. All zeros when no class is valid.
inline float score_gradient(const float* scores, const float* costs, int count, float* d) {
  constexpr double kTiny = 1e-10;
  const int best = best_gold(scores, costs, count);
  for (int k = 0; k < count; ++k) d[k] = 0;
  if (best < 0) return 0;
  double highest = scores[0];
  for (int k = 1; k < count; ++k) highest = scores[k] > highest ? scores[k] : highest;
  double all = kTiny, gold = kTiny;
  for (int k = 0; k < count; ++k) {
    all += std::exp(scores[k] - highest);
    if (costs[k] <= costs[best]) gold += std::exp(scores[k] - double{scores[best]});
  }
  float loss = 0;
  for (int k = 0; k < count; ++k) {
    double value = std::exp(scores[k] - highest) / all;
    if (costs[k] <= costs[best]) value -= std::exp(scores[k] - double{scores[best]}) / gold;
    d[k] = static_cast<float>(value);
    loss += d[k] * d[k];
  }
  return loss;
}

}  // namespace weft::transition
