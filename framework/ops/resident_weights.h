// Where ops find the copies of weights that a device works with. Layers hand over the weights of
// the host; framework/nn/device_weights.h keeps the copies.
#pragma once

#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API ResidentWeights {
 public:
  virtual ~ResidentWeights() = default;
  // The copy of a tracked weight; other tensors come back themselves. By any thread while the
  // weights stay as they are.
  virtual Tensor resident(const Tensor& weight) const = 0;
  // The same for an address, which may lie within a weight.
  virtual const void* resident(const void* host) const = 0;
};

}  // namespace weft
