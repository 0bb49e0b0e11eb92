// Scores of predicted entities.
#pragma once

#include <span>

#include "framework/pipeline/scores.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// ents_p, ents_r, ents_f over all types and documents, and ents_per_type with p, r and f for each
// label of either side. Documents without any entity annotation are left out; so are predictions
// that touch a reference token without annotation or have no aligned token. All are null where
// there is nothing to count (spaCy 3.8; docs/ner-model.md 7.3).
WEFT_API Scores score_entities(std::span<const Example> examples);

// The same for examples that come in groups.
WEFT_API ScoreSessionPtr entity_score_session();

}  // namespace weft
