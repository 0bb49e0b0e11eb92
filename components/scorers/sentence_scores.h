// Scores of sentence boundaries.
#pragma once

#include "framework/pipeline/scores.h"
#include "registry/base/export.h"

namespace weft {

// sents_p, sents_r, sents_f of whole sentences. Documents whose reference says nothing of sentences
// are left out; predicted sentences count as sentences of the reference tokens that spell the same
// text, where there are ones. All are null where there is nothing to count (spaCy 3.8;
// docs/tagging.md, "Scores").
WEFT_API ScoreSessionPtr sentence_score_session();

}  // namespace weft
