// The moves of the arc-eager system: which a state allows, what they do, and the tokens that a
// state is scored by (docs/parsing.md; spaCy 3.8, ArcEager).
#pragma once

#include <cstdint>

#include "framework/ops/arc_state.h"

namespace weft::transition {

// The numbers are those of a saved pipeline's `moves` file.
enum class ArcMove : std::uint8_t { shift = 0, reduce = 1, left = 2, right = 3, sentence = 4 };
inline constexpr int kArcMoves = 5;

// One output class. `label` is a string id; 0 is the empty label.
struct ArcAction {
  ArcMove move = ArcMove::shift;
  std::uint64_t label = 0;
  bool joins_subtokens = false;  // an arc of this label joins neighbours only
  friend constexpr bool operator==(const ArcAction&, const ArcAction&) = default;
};

// The sentence marks of the tokens of a batch before the component ran, one entry per token:
// 1 starts one, -1 does not, 0 is unknown.
struct ArcMarks {
  const std::int8_t* sent_start = nullptr;

  template <class Lists>
  constexpr int of(const ArcStateIn<Lists>& state, std::int32_t token) const {
    return token < 0 ? 0 : sent_start[state.first() + token];
  }
  template <class Lists>
  constexpr bool starts(const ArcStateIn<Lists>& state, std::int32_t token) const {
    return token >= 0 && (of(state, token) == 1 || state.is_broken(token));
  }
};

// Which classes a state allows.
struct ValidArcs {
  bool shift = false, reduce = false, arcs = false, sentence = false;
  bool neighbours = false;  // the two tokens an arc would join stand side by side

  constexpr bool allows(const ArcAction& action) const {
    switch (action.move) {
      case ArcMove::shift:
        return shift;
      case ArcMove::reduce:
        return reduce;
      case ArcMove::left:
      case ArcMove::right:
        return arcs && (neighbours || !action.joins_subtokens);
      case ArcMove::sentence:
        return sentence;
    }
    return false;
  }
};

template <class Lists>
constexpr ValidArcs valid_arcs(const ArcStateIn<Lists>& state, const ArcMarks& marks) {
  const std::int32_t b0 = state.buffer(0), b1 = state.buffer(1);
  const bool has_stack = state.stack_depth() > 0, has_buffer = b0 != kNoToken;
  const bool starts = marks.starts(state, b0);
  ValidArcs valid;
  valid.shift = !has_stack ? has_buffer : b1 != kNoToken && !starts && !state.is_blocked(b0);
  const bool holds_last = state.stack_depth() == 1 && marks.of(state, b0) == -1;
  valid.reduce = has_stack && (!has_buffer || !holds_last);
  valid.arcs = has_stack && has_buffer && !starts;
  valid.neighbours = valid.arcs && state.stack(0) == b0 - 1;
  valid.sentence =
      b1 != kNoToken && b1 == b0 + 1 && !marks.starts(state, b1) && marks.of(state, b1) != -1;
  return valid;
}

template <class Lists>
constexpr void apply(ArcStateIn<Lists>& state, const ArcAction& action) {
  switch (action.move) {
    case ArcMove::shift:
      return state.shift();
    case ArcMove::reduce:
      return state.reduce();
    case ArcMove::left:
      return state.arc_left(action.label);
    case ArcMove::right:
      return state.arc_right(action.label);
    case ArcMove::sentence:
      return state.start_sentence();
  }
}

inline constexpr int kFewArcFeatures = 8, kManyArcFeatures = 13;

// The rows whose lower-layer features make up the state's vector, -1 for none; `count` is one of
// the two numbers above. The second child on the left of the stack's top is not among the 13: the
// reference overwrites its place.
template <class Lists>
constexpr void features(const ArcStateIn<Lists>& state, int count, std::int32_t* rows) {
  const std::int32_t b0 = state.buffer(0), s0 = state.stack(0), s1 = state.stack(1);
  const std::int32_t left_of_b0 = state.youngest_left(b0), left_of_s0 = state.youngest_left(s0);
  const std::int32_t right_of_s0 = state.youngest_right(s0);
  std::int32_t* row = rows;
  for (const std::int32_t token : {b0, state.buffer(1), s0, s1, state.stack(2)}) *row++ = token;
  if (count == kFewArcFeatures) {
    for (const std::int32_t token : {left_of_b0, left_of_s0, right_of_s0}) *row++ = token;
  } else {
    const std::int32_t left_of_s1 = state.youngest_left(s1);
    const std::int32_t right_of_s1 = state.youngest_right(s1);
    for (const std::int32_t token :
         {left_of_s0, right_of_s0, left_of_b0, state.older(right_of_s0), left_of_s1,
          state.older(left_of_s1), right_of_s1, state.older(right_of_s1)}) {
      *row++ = token;
    }
  }
  for (int f = 0; f < count; ++f) rows[f] = rows[f] == kNoToken ? -1 : state.first() + rows[f];
}

}  // namespace weft::transition
