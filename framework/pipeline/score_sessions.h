// Ways of scoring examples that come in groups.
#pragma once

#include <functional>

#include "framework/pipeline/component.h"
#include "framework/pipeline/scores.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// Keeps all examples and scores them at the end, for scores that are no sums.
WEFT_API ScoreSessionPtr score_all_at_end(std::function<Scores(std::span<const Example>)> score);

// Gives no scores.
WEFT_API ScoreSessionPtr no_scores();

// The scorer's own session, or one that keeps all examples; one without scores for an empty scorer.
WEFT_API ScoreSessionPtr start_session(const Scorer& scorer);
// The same for a component, with the settings of its file `cfg`.
WEFT_API ScoreSessionPtr start_session(const Scorer& scorer, const Component& component,
                                       Object cfg = {});

}  // namespace weft
