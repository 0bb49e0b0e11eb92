// Scores of states that a search holds at the same time, whatever their transition system: the
// caller says which token rows make up each state, the op adds them up and runs the scoring layers.
// The kernels of transition_steps.h do the same while they follow parses (docs/ner-model.md 1.4).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "framework/ops/kernel.h"
#include "framework/ops/transition_steps.h"

namespace weft {

// The states, one row each, and where their numbers go.
struct StateRows {
  int count = 0;
  const std::int32_t* features = nullptr;  // (count, features): token rows, -1 for none
  const float* mask = nullptr;             // (count, hidden): multiplies hidden vectors; null: none
  float* hidden = nullptr;                 // out: (count, hidden), after the mask
  std::uint8_t* winners = nullptr;  // out: (count, hidden), the piece that won; null: not kept
  float* scores = nullptr;          // out: (count, classes); null: only hidden vectors
};

// `unseen`: see TransitionTaskOf; the lowest score is that of all rows.
struct ScoreStates {
  static constexpr std::string_view name = "score_states";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, const ScorerShape& shape, const ScorerWeights& weights,
                  std::span<const std::uint8_t> unseen, const StateRows& rows);
};

}  // namespace weft
