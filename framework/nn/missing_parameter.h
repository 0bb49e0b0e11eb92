// Whether a tree of layers can compute.
#pragma once

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// The first parameter of the tree, breadth first, that has no numbers yet; null: all have.
WEFT_API const Parameter* missing_parameter(const Model& root);

}  // namespace weft
