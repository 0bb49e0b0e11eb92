// Entities of a reference whose edges are no edges of tokens of the predicted document.
#pragma once

#include "framework/text/char_ents.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// An example of the two, which are of the same text. Entities that the predicted tokens cannot
// spell are told, and treated as the policy says: under `drop` the reference stays as it is (the
// tokens that they touch count as not annotated when it is trained on; spaCy 3.8 does the same),
// under `expand` and `contract` the reference of such a document has the predicted tokens and
// keeps entities, sentences, categories and user data alone. Throws Error(data) for the first of
// them under `error`.
WEFT_API Example fitted_example(Doc predicted, Doc reference, AlignmentPolicy policy,
                                const ExamplePlace& place, const MisalignedSink& tell);

}  // namespace weft
