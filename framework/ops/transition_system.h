// The interface of a transition system, for kernels and for code that cuts documents into parses.
// Like its parts it works on plain numbers, so that a CPU kernel, a CUDA kernel and the tests run
// the same text; code that works for any system is a template, and nothing is looked up while a
// parse runs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "framework/ops/transition.h"
#include "framework/ops/transition_oracle.h"

namespace weft::transition {

// A row that training records. Its dropout mask depends on nothing else.
struct ParseStep {
  std::int64_t token = 0;  // of the batch, where the parse starts
  int round = 0;           // how many steps of the parse come before
};

// State: where one parse stands; State::row() is the token of the batch that it looks at. Action:
// one output class. Marks: the annotation that the tokens of a batch carried before. Gold: what the
// actions of one document are judged by; BatchGold: that of all documents, by the number of a
// parse.
template <class S>
concept System = requires(typename S::State& state, const typename S::State& at,
                          const typename S::Action& action, const typename S::Marks& marks,
                          const typename S::BatchGold& gold, std::int32_t* rows, float* costs) {
  { at.is_final() } -> std::same_as<bool>;
  { at.row() } -> std::same_as<int>;
  // Which actions a state that is not final allows.
  { S::valid(at, marks).allows(action) } -> std::same_as<bool>;
  S::apply(state, action);
  // The most steps that the parse takes from here on.
  { S::steps_left(at) } -> std::same_as<int>;
  // The step that it takes after so many others, as the dropout mask of its row is named.
  { S::step_of(at, 0) } -> std::same_as<ParseStep>;
  // The token rows that make up the state's vector, -1 for none; how many the network says.
  S::features(at, 3, rows);
  { gold.of(std::size_t{0}) } -> std::same_as<typename S::Gold>;
  // One cost for each of so many actions; kInvalidCost where the state does not allow it.
  S::fill_costs(at, &action, 1, S::valid(at, marks), gold.of(0), costs);
  // Names of the ops that parse and that train.
  { S::parse_name } -> std::convertible_to<std::string_view>;
  { S::train_name } -> std::convertible_to<std::string_view>;
};

// A system that a device's kernels run: all that they are given are plain numbers, and the cost of
// an action can be asked alone.
template <class S>
concept DeviceSystem = System<S> && std::is_trivially_copyable_v<typename S::State> &&
    std::is_trivially_copyable_v<typename S::Action> &&
    std::is_trivially_copyable_v<typename S::BatchGold> &&
    requires(const typename S::State& at, const typename S::Action& action,
             const typename S::Marks& marks, const typename S::Gold& gold) {
  { S::costs(at, S::valid(at, marks), gold).of(action) } -> std::same_as<float>;
};

// The costs of the actions of one state that holds an entity or none.
struct EntityCosts {
  const State& state;
  const ValidMoves& valid;
  std::span<const NegativeSpan> negatives;
  MoveCosts by_move;

  constexpr float of(Action action) const {
    return class_cost(state, action, valid, by_move, negatives.data(),
                      static_cast<int>(negatives.size()));
  }
};

// Entities: every action takes one token.
struct EntitySystem {
  static constexpr std::string_view parse_name = "transition_parse";
  static constexpr std::string_view train_name = "transition_train";
  // No valid parse ends before it has taken all steps that it had left, so that rows of a record
  // are known before. Left out by systems of which that is not so.
  static constexpr bool takes_all_steps = true;
  // States have tokens of open entities as other features than the first, and these are few. Left
  // out by systems of which that is not so.
  static constexpr bool has_rare_features = true;
  using State = weft::transition::State;
  using Action = weft::transition::Action;
  using Marks = TokenMarks;

  struct Gold {
    const GoldTag* tags = nullptr;  // one for every token of the batch
    std::span<const NegativeSpan> negatives;
  };
  // Known wrong spans: those of the document of parse i begin at negative_begin[i] and end at
  // negative_begin[i + 1]. Null: there are none.
  struct BatchGold {
    const GoldTag* tags = nullptr;
    const NegativeSpan* negatives = nullptr;
    const std::int32_t* negative_begin = nullptr;

    constexpr Gold of(std::size_t parse) const {
      if (negative_begin == nullptr) return {tags, {}};
      const std::int32_t* begin = negative_begin + parse;
      return {tags, {negatives + begin[0], negatives + begin[1]}};
    }
  };

  static constexpr ValidMoves valid(const State& state, const Marks& marks) {
    return valid_moves(state, marks);
  }
  static constexpr int steps_left(const State& state) { return state.left(); }
  static constexpr ParseStep step_of(const State& start, int round) { return {start.row(), round}; }
  static constexpr void apply(State& state, const Action& action) {
    transition::apply(state, action);
  }
  static constexpr void features(const State& state, int count, std::int32_t* rows) {
    transition::features(state, count, rows);
  }
  static constexpr void fill_costs(const State& state, const Action* actions, int count,
                                   const ValidMoves& valid, const Gold& gold, float* costs) {
    transition::fill_costs(state, actions, count, valid, gold.tags, gold.negatives.data(),
                           static_cast<int>(gold.negatives.size()), costs);
  }
  static constexpr EntityCosts costs(const State& state, const ValidMoves& valid,
                                     const Gold& gold) {
    return {state, valid, gold.negatives, move_costs(state, gold.tags)};
  }
};
static_assert(DeviceSystem<EntitySystem>);

}  // namespace weft::transition
