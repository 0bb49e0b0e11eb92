// The exchange of a parameter's weights for their running mean in the host's memory; for the
// optimizer's own sources alone.
#pragma once

#include "framework/tensor/tensor.h"
#include "framework/training/optimizer.h"

namespace weft {

// Of the part that the state has the average of; twice is as never.
void swap_average(Tensor& weights, OptimizerState& state);

}  // namespace weft
