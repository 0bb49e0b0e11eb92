// Scores of the tokenization.
#pragma once

#include <span>

#include "framework/pipeline/scores.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// token_acc: share of predicted tokens aligned with exactly one reference token; token_p, token_r,
// token_f: of the stretches of text that tokens cover. White space does not count, and neither do
// documents with unknown spacing; all are null where nothing is left (spaCy 3.8).
WEFT_API Scores score_tokenization(std::span<const Example> examples);

// The same for examples that come in groups.
WEFT_API ScoreSessionPtr tokenization_score_session();

// Both as one.
WEFT_API Scorer tokenization_scorer();

}  // namespace weft
