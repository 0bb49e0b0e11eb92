// Settings of parsers that follow several analyses at a time (docs/parsing.md, 7; spaCy 3.8,
// beam_ner and beam_parser).
#pragma once

namespace weft {

// Wider beams are refused: a step scores that many states of each document.
inline constexpr int kWidestBeam = 1024;

struct BeamSettings {
  int width = 1;           // analyses of a document at a time; 1: the greedy one
  double density = 0;      // analyses less likely than this share of the best one are dropped
  double update_prob = 0;  // share of the training batches that learn from whole beams

  constexpr bool searches() const { return width > 1; }
  // Within their ranges.
  constexpr bool are_valid() const {
    return width >= 1 && width <= kWidestBeam && density >= 0 && density <= 1 && update_prob >= 0 &&
           update_prob <= 1;
  }
};

}  // namespace weft
