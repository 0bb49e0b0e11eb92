// The arithmetic of the named-entity transition system (docs/ner-model.md; spaCy 3.8,
// BiluoPushDown): one document is read from left to right, every action consumes exactly one token.
//
// Everything here works on plain numbers and is constexpr where the language allows it, so that a
// CPU kernel, a CUDA kernel (relaxed constexpr) and the tests run the same text.
#pragma once

#include <cstdint>

#include "framework/text/gold_tag.h"

namespace weft::transition {

inline constexpr int kMoves = 6;  // Move::missing, a gold tag only, included

// Entity annotation of one token, numbered as spaCy's ENT_IOB.
enum Iob : std::uint8_t { kIobUnset = 0, kIobInside = 1, kIobOutside = 2, kIobBegin = 3 };

// One output class. `label` is a string id; 0 is the empty label (UNIT and OUT only).
struct Action {
  Move move = Move::missing;
  std::uint64_t label = 0;
  friend constexpr bool operator==(const Action&, const Action&) = default;
};

// Annotation that the tokens of a batch carried before the component ran; arrays with one entry per
// token.
struct TokenMarks {
  const std::uint8_t* iob = nullptr;
  const std::uint64_t* type = nullptr;
  const std::int8_t* sent_start = nullptr;  // 1: begins a sentence; all else is unknown
  const std::uint8_t* is_space = nullptr;
};

// Where one document stands. Rows are positions in the batch (document offset + token number).
struct State {
  std::int32_t first = 0;        // row of the document's first token
  std::int32_t length = 0;       // tokens of the document
  std::int32_t position = 0;     // next token, counted from the document's start
  std::int32_t open_start = -1;  // first token of the open entity, -1: none is open
  std::uint64_t open_label = 0;

  constexpr bool is_open() const { return open_start >= 0; }
  constexpr bool is_final() const { return position >= length; }
  constexpr int left() const { return length - position; }
  constexpr int row() const { return first + position; }
};

constexpr void apply(State& state, Action action) {
  if (action.move == Move::begin) {
    state.open_start = state.position;
    state.open_label = action.label;
  } else if (action.move == Move::last) {
    state.open_start = -1;
    state.open_label = 0;
  }
  ++state.position;
}

// The rows whose lower-layer features make up the state's vector, -1 for none. `count` is 3
// (buffer, entity start, token before) or 6 (buffer and up to five tokens of the open entity).
constexpr void features(const State& state, int count, std::int32_t* rows) {
  for (int f = 0; f < count; ++f) rows[f] = -1;
  if (state.is_final()) return;
  rows[0] = state.row();
  if (!state.is_open()) return;
  if (count == 3) {
    rows[1] = state.first + state.open_start;
    rows[2] = state.row() - 1;
    return;
  }
  for (int f = 1; f < count && state.open_start + f - 1 < state.position; ++f) {
    rows[f] = state.first + state.open_start + f - 1;
  }
}

// Which classes a state allows. A `*_label` of 0 stands for every non-empty label.
struct ValidMoves {
  bool begin = false, in = false, last = false, unit = false, out = false;
  bool blocked = false;  // UNIT with the empty label
  std::uint64_t begin_label = 0, in_label = 0, last_label = 0, unit_label = 0;

  constexpr bool allows(Action action) const {
    const auto fits = [&](std::uint64_t only) { return only == 0 || only == action.label; };
    switch (action.move) {
      case Move::begin:
        return begin && action.label != 0 && fits(begin_label);
      case Move::in:
        return in && action.label != 0 && fits(in_label);
      case Move::last:
        return last && action.label != 0 && fits(last_label);
      case Move::unit:
        return action.label == 0 ? blocked : unit && fits(unit_label);
      case Move::out:
        return out;
      case Move::missing:
        break;
    }
    return false;
  }
};

// Annotation of one token and of the one after it; beyond the document's end all is unset.
struct Neighbours {
  int iob = kIobUnset, next_iob = kIobUnset;
  std::uint64_t type = 0;
  bool is_space = false, next_starts_sentence = false;
};

constexpr Neighbours neighbours(const State& state, const TokenMarks& marks) {
  Neighbours near;
  const int row = state.row();
  near.iob = marks.iob[row];
  near.type = marks.type[row];
  near.is_space = marks.is_space[row] != 0;
  if (state.left() > 1) {
    near.next_iob = marks.iob[row + 1];
    near.next_starts_sentence = marks.sent_start[row + 1] == 1;
  }
  return near;
}

constexpr void set_valid_outside(const State& state, const Neighbours& near, ValidMoves& valid) {
  const bool preset_begins = near.iob == kIobBegin;
  if (preset_begins) {
    valid.begin = near.type != 0 && near.next_iob == kIobInside;
    valid.unit = near.type != 0 && near.next_iob != kIobInside;
    valid.begin_label = valid.unit_label = near.type;
  } else {
    valid.begin = near.iob != kIobInside && near.next_iob != kIobBegin &&
                  !near.next_starts_sentence && !near.is_space;
    valid.unit = near.next_iob != kIobInside && !near.is_space;
  }
  valid.begin = valid.begin && state.left() >= 2;
  valid.out = near.iob != kIobBegin && near.iob != kIobInside;
}

constexpr void set_valid_inside(const State& state, const Neighbours& near, ValidMoves& valid) {
  const bool preset_inside = near.iob == kIobInside;
  valid.in = state.left() >= 2 && near.iob != kIobBegin && near.next_iob != kIobBegin;
  if (preset_inside) {
    const bool goes_on = near.next_iob != kIobUnset && near.next_iob != kIobOutside;
    valid.in = valid.in && goes_on && near.type == state.open_label;
  } else {
    valid.in = valid.in && !near.next_starts_sentence;
  }
  valid.in_label = state.open_label;
  valid.last = near.next_iob != kIobInside;
  valid.last_label = preset_inside ? near.type : state.open_label;
  if (valid.last_label == 0) valid.last = false;
}

// The classes that a state which is not final allows.
constexpr ValidMoves valid_moves(const State& state, const TokenMarks& marks) {
  const Neighbours near = neighbours(state, marks);
  ValidMoves valid;
  if (state.is_open()) {
    set_valid_inside(state, near, valid);
  } else {
    set_valid_outside(state, near, valid);
  }
  valid.blocked = near.iob == kIobBegin && near.type == 0;
  return valid;
}

// The valid class with the highest score, the first one on ties; -1 when none is valid.
template <class Action, class Valid>
constexpr int best_valid(const float* scores, const Action* actions, int count,
                         const Valid& valid) {
  int best = -1;
  for (int k = 0; k < count; ++k) {
    if ((best < 0 || scores[k] > scores[best]) && valid.allows(actions[k])) best = k;
  }
  return best;
}

}  // namespace weft::transition
