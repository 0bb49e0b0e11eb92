// The cost of an action given the gold annotation, and the gradient of the scores
// (docs/ner-model.md; spaCy 3.8, BiluoPushDown and its log loss). Plain arithmetic as in
// transition.h; `gold` has one tag for every token of the batch.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "framework/ops/host_device.h"
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

// The cost of one class, kInvalidCost where it is not valid.
constexpr float class_cost(const State& state, Action action, const ValidMoves& valid,
                           const MoveCosts& by_move, const NegativeSpan* negatives,
                           int negative_count) {
  const float cost = valid.allows(action) ? by_move.of(action) : kInvalidCost;
  if (cost == kInvalidCost) return cost;
  for (int s = 0; s < negative_count; ++s) {
    if (makes_negative(state, action, negatives[s])) return cost + 1;
  }
  return cost;
}

// Fills one cost per class; classes that are not valid cost kInvalidCost.
constexpr void fill_costs(const State& state, const Action* actions, int count,
                          const ValidMoves& valid, const GoldTag* gold,
                          const NegativeSpan* negatives, int negative_count, float* costs) {
  const MoveCosts by_move = move_costs(state, gold);
  for (int k = 0; k < count; ++k) {
    costs[k] = class_cost(state, actions[k], valid, by_move, negatives, negative_count);
  }
}

// The highest-scoring valid class among those as cheap as can be (at most 1, and below 0 where a
// class costs less than nothing); -1 when none is.
constexpr int best_gold(const float* scores, const float* costs, int count) {
  float lowest = 1;
  for (int k = 0; k < count; ++k) lowest = costs[k] < lowest ? costs[k] : lowest;
  int best = -1;
  for (int k = 0; k < count; ++k) {
    if (costs[k] <= lowest && (best < 0 || scores[k] > scores[best])) best = k;
  }
  return best;
}

// The log loss over all classes compares p, the softmax of all scores, with q, the one over the
// classes that cost no more than the best gold class; its gradient is d = p - q. Kernels add up the
// terms of all classes, then of the gold ones, both beginning with kTinySum.
inline constexpr double kTinySum = 1e-10;
inline constexpr double kInfiniteScore = std::numeric_limits<double>::infinity();

// The reference that the terms of a state are relative to.
struct LossPeaks {
  double highest = -kInfiniteScore;   // of all scores
  double best = -kInfiniteScore;      // the score of the best gold class
  float highest_cost = kInvalidCost;  // of a gold class

  // False: no class is as cheap as a gold one may be (see best_gold), the gradient is 0.
  constexpr bool has_gold() const { return highest_cost <= 1; }
  constexpr bool is_gold(float cost) const { return cost <= highest_cost; }

  // Takes a further class into account, in any order.
  constexpr void see(float score, float cost) {
    join({.highest = score, .best = score, .highest_cost = cost});
  }
  // Peaks of two sets of classes become those of both.
  constexpr void join(const LossPeaks& other) {
    highest = other.highest > highest ? other.highest : highest;
    if (other.highest_cost > highest_cost) return;
    best = other.highest_cost < highest_cost || other.best > best ? other.best : best;
    highest_cost = other.highest_cost;
  }
};

constexpr LossPeaks loss_peaks(const float* scores, const float* costs, int count) {
  LossPeaks peaks;
  const int best = best_gold(scores, costs, count);
  if (best < 0) return peaks;
  peaks.best = scores[best];
  peaks.highest_cost = costs[best];
  peaks.highest = scores[0];
  for (int k = 1; k < count; ++k)
    peaks.highest = scores[k] > peaks.highest ? scores[k] : peaks.highest;
  return peaks;
}

// The term of a class in a sum whose peak is given.
WEFT_HOST_DEVICE inline double loss_term(float score, double peak) {
  return std::exp(score - peak);
}

// Gradient of the log loss, computed in double, stored in float; gives the sum of d squared. All
// zeros when no class is valid. `terms` is scratch of `count` numbers.
inline float score_gradient(const float* scores, const float* costs, int count, double* terms,
                            float* d) {
  for (int k = 0; k < count; ++k) d[k] = 0;
  const LossPeaks peaks = loss_peaks(scores, costs, count);
  if (!peaks.has_gold()) return 0;
  double all = kTinySum, gold = kTinySum;
  for (int k = 0; k < count; ++k) {
    terms[k] = loss_term(scores[k], peaks.highest);
    all += terms[k];
    if (peaks.is_gold(costs[k])) gold += loss_term(scores[k], peaks.best);
  }
  float loss = 0;
  for (int k = 0; k < count; ++k) {
    double value = terms[k] / all;
    if (peaks.is_gold(costs[k])) value -= loss_term(scores[k], peaks.best) / gold;
    d[k] = static_cast<float>(value);
    loss += d[k] * d[k];
  }
  return loss;
}

}  // namespace weft::transition
