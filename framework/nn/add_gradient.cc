#include "framework/nn/add_gradient.h"

#include "framework/nn/gradients.h"
#include "framework/ops/context.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/ops/reduce.h"

namespace weft {

void add_weight_gradient(Context& ctx, const Parameter& weights, ConstView dy, ConstView x) {
  const Gradients::Accumulator gradient = ctx.gradients().accumulator_of(weights);
  const View matrix = gradient.array.reshaped({dy.cols(), x.cols()}).view();
  ctx.run<Gemm>(dy, Transpose::yes, x, Transpose::no, matrix, gradient.beta());
}

void add_bias_gradient(Context& ctx, const Parameter& bias, ConstView dy) {
  const Gradients::Accumulator gradient = ctx.gradients().accumulator_of(bias);
  ctx.run<AddColumnSums>(dy, gradient.array.view(), gradient.beta());
}

void add_gradient(Context& ctx, const Parameter& parameter, ConstView array) {
  const Gradients::Accumulator gradient = ctx.gradients().accumulator_of(parameter);
  if (gradient.is_uninitialised) {
    ctx.run<CopyRows>(array, gradient.array.view());
  } else {
    ctx.run<AddInPlace>(gradient.array.view(), array);
  }
}

}  // namespace weft
