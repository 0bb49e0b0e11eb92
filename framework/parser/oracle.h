// Following the gold annotation of a document under any transition system.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/ops/transition_system.h"
#include "registry/base/error.h"

namespace weft {

// The facts about one document that the gold annotation is followed by; rows as in the batch.
template <transition::System S>
struct Oracle {
  std::span<const typename S::Action> actions;  // class order
  typename S::Marks marks;
  typename S::Gold gold;
};

// The first class that is valid and costs least; -1 when none is valid, or none as cheap as the
// system asks for. `costs` is scratch of a number for each action.
template <transition::System S>
int oracle_class(const typename S::State& state, const Oracle<S>& oracle,
                 std::vector<float>& costs) {
  S::fill_costs(state, oracle.actions.data(), static_cast<int>(oracle.actions.size()),
                S::valid(state, oracle.marks), oracle.gold, costs.data());
  const auto best = std::min_element(costs.begin(), costs.end());
  if constexpr (requires { S::most_oracle_cost; }) {
    if (*best > S::most_oracle_cost) return -1;
  }
  return *best == transition::kInvalidCost ? -1 : static_cast<int>(best - costs.begin());
}

// Counts the tokens that the kept states of a document hold: with a stack that reaches back to the
// document's start each holds all of them, and together they grow with the square of its length.
class HeldTokens {
 public:
  // Those of one more state of a document of `length` tokens. Throws Error(data) where there are
  // more than it may have (docs/limits.md).
  void add(std::size_t tokens, int length) {
    constexpr std::size_t kMost = std::size_t{1} << 22, kMostPerToken = 64;
    held_ += tokens;
    if (held_ <= kMost + kMostPerToken * static_cast<std::size_t>(length)) return;
    throw Error(ErrorKind::data,
                "a document of " + std::to_string(length) +
                    " tokens has arcs over too many of them to be trained on; give it in parts, a "
                    "sentence or a paragraph each");
  }

 private:
  std::size_t held_ = 0;
};

// The parses that start at every `length` steps of the gold parse from `start`: at each step the
// first class that is valid and costs nothing (or, where none is, the first of the cheapest).
// `end` gets the state at which the gold parse ends.
template <transition::System S>
std::vector<typename S::State> cut_along_oracle(const typename S::State& start,
                                                const Oracle<S>& oracle, int length,
                                                typename S::State* end = nullptr) {
  std::vector<float> costs(oracle.actions.size());
  std::vector<typename S::State> cuts;
  typename S::State state = start;
  HeldTokens held;
  for (int taken = 0; !state.is_final(); ++taken) {
    if (taken % length == 0) {
      if constexpr (requires { state.trim(); }) state.trim();
      if constexpr (requires { state.held(); }) held.add(state.held().size(), state.length());
      cuts.push_back(state);
    }
    const int best = oracle_class(state, oracle, costs);
    if (best < 0) {
      if constexpr (requires { S::most_oracle_cost; }) {
        if (taken % length == 0) cuts.pop_back();  // a piece without a move
      }
      break;
    }
    S::apply(state, oracle.actions[static_cast<std::size_t>(best)]);
  }
  if (end != nullptr) *end = std::move(state);
  return cuts;
}

}  // namespace weft
