// The layer of which embeddings and window encoders are made, by its layers.
#pragma once

#include <cstdint>

#include "framework/nn/fused/maxout_parts.h"

namespace weft {

// maxout({outputs, inputs, pieces}) with layer norm and dropout behind it: the same nodes.
MaxoutLayers normalized_maxout(std::int64_t outputs, std::int64_t inputs, std::int64_t pieces);

}  // namespace weft
