// Scores of dependency parses.
#pragma once

#include "framework/pipeline/scores.h"
#include "registry/base/export.h"

namespace weft {

// dep_uas and dep_las, the F of heads and of heads with labels, and dep_las_per_type. Punctuation
// (labels "p" and "punct") and white space are left out, and so are tokens whose number is that of
// a reference token without label in this document or an earlier one, as the reference does. All
// are null where there is nothing to count (spaCy 3.8; docs/parsing.md, "Scores").
WEFT_API ScoreSessionPtr dependency_score_session();

}  // namespace weft
