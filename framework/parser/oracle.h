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

// Bounds how much a gold parse takes. With a stack that reaches back to the document's start each
// kept state holds all tokens before it, and with it, or with a token that all others hang on, each
// state looks at all of them: both grow with the square of the document's length.
class OracleWork {
 public:
  // Tokens that one more kept state holds, or that one more state looks at, of a document of
  // `length` tokens. Both throw Error(data) where there are more in all than it may have
  // (docs/limits.md).
  void hold(std::size_t tokens, int length) {
    held_ += tokens;
    check(held_, (std::size_t{1} << 22) + 64 * static_cast<std::size_t>(length), length);
  }
  void look_at(std::size_t tokens, int length) {
    looked_at_ += tokens;
    check(looked_at_, (std::size_t{1} << 24) + 1024 * static_cast<std::size_t>(length), length);
  }

 private:
  static void check(std::size_t tokens, std::size_t most, int length) {
    if (tokens <= most) return;
    throw Error(ErrorKind::data,
                "a document of " + std::to_string(length) +
                    " tokens has arcs over too many of them to be trained on; give it in parts, a "
                    "sentence or a paragraph each");
  }

  std::size_t held_ = 0, looked_at_ = 0;
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
  OracleWork work;
  for (int taken = 0; !state.is_final(); ++taken) {
    if (taken % length == 0) {
      if constexpr (requires { state.trim(); }) state.trim();
      if constexpr (requires { state.held(); }) work.hold(state.held().size(), state.length());
      cuts.push_back(state);
    }
    if constexpr (requires { S::looks(state, oracle.gold); }) {
      work.look_at(S::looks(state, oracle.gold), state.length());
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
