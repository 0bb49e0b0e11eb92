// The events of layers that observers receive; Model sends them for the layers that it runs.
#pragma once

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// For a layer that something else runs: its gradient `dy` gave `dx` and those of its parameters.
// Does nothing unless the context's observer wants to hear of layers.
WEFT_API void tell_went_back(Context& ctx, const Model& layer, ConstView dy, ConstView dx);

}  // namespace weft
