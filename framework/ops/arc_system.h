// Dependency parsing as a transition system: a move joins two tokens, or moves one, so that the
// number of steps is known only when the parse is done (docs/parsing.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "framework/ops/arc_oracle.h"
#include "framework/ops/transition_system.h"

namespace weft::transition {

// The rules, wherever states and gold annotation lie.
template <class Lists>
struct ArcRules {
  static constexpr std::string_view parse_name = "arc_parse";
  static constexpr std::string_view train_name = "arc_train";
  using State = ArcStateIn<Lists>;
  using Action = ArcAction;
  using Marks = ArcMarks;

  static constexpr ValidArcs valid(const State& state, const Marks& marks) {
    return valid_arcs(state, marks);
  }
  static constexpr void apply(State& state, const Action& action) {
    transition::apply(state, action);
  }
  static constexpr void features(const State& state, int count, std::int32_t* rows) {
    transition::features(state, count, rows);
  }
  static constexpr ArcCosts costs(const State& state, const ValidArcs& valid,
                                  const ArcGoldView& gold) {
    return {state, valid, gold};
  }
  static constexpr void fill_costs(const State& state, const Action* actions, int count,
                                   const ValidArcs& valid, const ArcGoldView& gold, float* costs) {
    const ArcCosts by_move(state, valid, gold);
    for (int k = 0; k < count; ++k) costs[k] = by_move.of(actions[k]);
  }

  // The tokens that costs look at, nearly: those of the stack and the children of each, and of the
  // buffer's first.
  static constexpr std::size_t looks(const State& state, const ArcGoldView& gold) {
    const std::int32_t b0 = state.buffer(0);
    std::int64_t tokens = b0 == kNoToken ? 0 : gold.count_kids(b0);
    for (std::size_t depth = 0; depth < state.stack_depth(); ++depth) {
      tokens += 1 + gold.count_kids(state.stack(depth));
    }
    return static_cast<std::size_t>(tokens);
  }

  // The most steps that a parse of so many tokens takes. Every token is popped for good once, is
  // put back at most once before another one is gone for good, each time it is taken again, and
  // starts a sentence at most once: n + 2n pops, as many pushes, n.
  static constexpr std::int64_t most_steps(std::int64_t tokens) { return 7 * tokens; }
  static constexpr int steps_left(const State& state) {
    return static_cast<int>(most_steps(state.length()));
  }
  // Named by the document and by the number of the step since the document's start, so that no two
  // pieces of a document share a mask.
  static constexpr ParseStep step_of(const State& start, int round) {
    return {start.first(), start.steps() + round};
  }
};

struct ArcSystem : ArcRules<OwnLists> {
  using Gold = const ArcGold*;

  struct BatchGold {
    std::span<const ArcGold* const> parses;  // one for each parse
    Gold of(std::size_t parse) const { return parses[parse]; }
    // Draws the dropout mask of a round's rows, from row `row` of the record on, where `states`
    // are the numbers of the parses that take part. Not called by a device's kernels, which know
    // the row of every step before.
    std::function<void(std::int64_t row, int round, std::span<const std::int32_t> states)> draw;
  };

  // A gold parse ends where every move puts gold arcs out of reach (spaCy 3.8).
  static constexpr float most_oracle_cost = 0;
};
static_assert(System<ArcSystem>);

// The same inside of a device's kernels, where states and gold annotation have been brought.
struct PlacedArcSystem : ArcRules<BorrowedLists> {
  using Gold = ArcGoldView;

  struct BatchGold {
    const ArcGoldView* parses = nullptr;
    constexpr Gold of(std::size_t parse) const { return parses[parse]; }
  };
};
static_assert(DeviceSystem<PlacedArcSystem>);

}  // namespace weft::transition
