// To what products round f32 inputs: kernels of devices do that themselves.
#pragma once

#include "framework/precision/format.h"
#include "registry/base/export.h"

namespace weft {

// For the op that the calling thread runs: tf32 where the policy wants that of a product, else f32.
WEFT_API NumberFormat product_inputs();

// Says so while it lives.
class WEFT_API ProductInputs {
 public:
  explicit ProductInputs(NumberFormat format);
  ~ProductInputs();
  ProductInputs(const ProductInputs&) = delete;
  ProductInputs& operator=(const ProductInputs&) = delete;

 private:
  NumberFormat saved_;
};

}  // namespace weft
