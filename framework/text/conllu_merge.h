// The words of a multi-word token as one token, as spaCy 3.8 puts them together.
#pragma once

#include <vector>

#include "framework/text/biluo.h"
#include "framework/text/conllu_sentence.h"
#include "registry/base/export.h"

namespace weft {

// Each range of `sentence` becomes one word with the range's form; `entities` come over. Its tags
// are joined by '_', its lemmas by spaces, its features by field; part of speech, head, relation
// and entity are those of the word that is nearest to the root. Throws ConlluFault where the heads
// of a range run in a circle.
WEFT_API void merge_subtokens(ConlluSentence& sentence, std::vector<TagSpan>& entities);

}  // namespace weft
