// The gradient of a table of which a pass uses few rows, in the form in which gradients are kept.
#pragma once

#include "framework/nn/parameter.h"
#include "framework/tensor/view.h"
#include "registry/base/export.h"

namespace weft {

class Context;

struct WEFT_API TableGradient {
  // For the rows of `table` numbered by `used` (i32, any shape), which may name one more than once.
  TableGradient(Context& ctx, const Parameter& table, const Tensor& used);

  Tensor rows;  // where each of them stands in `values`, in the shape of `used`
  View values;  // to add to: (rows of the table or fewer, width)
};

}  // namespace weft
