#include "framework/nn/weight_gradient.h"

#include "framework/ops/context.h"
#include "framework/ops/gemm.h"

namespace weft {

void add_weight_gradient(Context& ctx, const Parameter& weights, ConstView dy, ConstView x) {
  const Gradients::Accumulator gradient = ctx.gradients().accumulator_of(weights);
  const View matrix = gradient.array.reshaped({dy.cols(), x.cols()}).view();
  ctx.run<Gemm>(dy, Transpose::yes, x, Transpose::no, matrix, gradient.beta());
}

}  // namespace weft
