// Softmax by cuDNN.
#pragma once

#include "framework/backends/cuda/device_stream.h"
#include "framework/tensor/view.h"

namespace weft::cuda {

// y (n, d) = softmax of every row of x. False, and nothing is done, where cuDNN is not installed or
// does not take these views: it wants both in one type and without gaps between rows.
bool softmax_by_library(DeviceStream& stream, ConstView x, View y);

}  // namespace weft::cuda
