// Dependencies as a kind of annotation that components learn.
#pragma once

#include "framework/pipeline/annotation_kind.h"
#include "registry/base/export.h"

namespace weft {

// The one object of the kind, for all components that parse.
WEFT_API const AnnotationKind& dependency_annotation();

}  // namespace weft
