// Scores of an attribute of tokens: tags, parts of speech, analyses, lemmas.
#pragma once

#include <optional>
#include <string>

#include "framework/pipeline/scores.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// NAME_acc: the F of pairs (reference token, value). A predicted token counts where it is not white
// space and is aligned with exactly one reference token; one whose reference has no value does not
// count. Reference tokens that no predicted token is aligned with count as missed. Null where there
// is nothing to count (spaCy 3.8; docs/tagging.md, "Scores").
WEFT_API ScoreSessionPtr attribute_score_session(Attr attr, std::string name);

// morph_micro_p, morph_micro_r, morph_micro_f over all features, and morph_per_feat with p, r and f
// of each field. The values of a field are one feature. Reference tokens without features, be their
// analysis unset or empty, do not count.
WEFT_API ScoreSessionPtr feature_score_session();

// The reference token that a predicted one is compared with, as described above.
WEFT_API std::optional<int> compared_token(const Example& example, int predicted);

}  // namespace weft
