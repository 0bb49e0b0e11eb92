// Categories of documents as a kind of annotation that components learn.
#pragma once

#include "framework/pipeline/annotation_kind.h"
#include "registry/base/export.h"

namespace weft {

// The one object of the kind, for all components whose labels exclude each other, or go together.
WEFT_API const AnnotationKind& category_annotation(bool exclusive);

}  // namespace weft
