// How the scores of an evaluation become the one number that decides which model is the best, and
// which of them are fractions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "framework/pipeline/scores.h"
#include "registry/base/problem.h"

namespace weft {

// The weights that components propose, in pipeline order, replaced by those of the config
// ([training.score_weights]); the non-null ones are divided by their sum and rounded to two
// decimals. Source: docs/training.md, "Score weights".
WEFT_API Object combine_score_weights(std::span<const Object> proposed, const Object& own);

// The sum of weight times score over the keys whose weight and score are numbers. A score that is
// missing, null or not finite drops out; the rest is not scaled up for it.
WEFT_API double main_score(const Scores& scores, const Object& weights);

// The score that is no fraction of 1, but words in a second: tables show all others in percent.
inline constexpr std::string_view kSpeedScore = "speed";

inline bool is_fraction(std::string_view score) {
  return score != kSpeedScore;
}

// Warnings about weights for scores that an evaluation did not give: they count nothing. Nothing is
// said of nulls, nor of the zeros that components propose.
WEFT_API Problems unknown_score_weights(const Object& weights, const Scores& scores);

// The value of a number, 1 for true; 0 for anything else.
WEFT_API double number_or_zero(const Node& node);

}  // namespace weft
