// The annotation that taggers, morphologizers, lemmatizers and sentence recognizers learn, for
// `debug data` and for labels that nobody can find.
#pragma once

#include "framework/pipeline/annotation_kind.h"
#include "registry/base/export.h"

namespace weft {

WEFT_API const AnnotationKind& tag_annotation();
// A label is a part of speech with features: "Number=Sing|POS=NOUN".
WEFT_API const AnnotationKind& morph_annotation();
// Lemmas have no labels that could be counted.
WEFT_API const AnnotationKind& lemma_annotation();
// Every sentence has the label "S".
WEFT_API const AnnotationKind& sentence_annotation();

}  // namespace weft
