// sigmoid_activation.v1: 1 / (1 + e^-x), without weights. Source: Thinc 8.3.
#include "components/layers/layers.h"
#include "framework/ops/activation.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model&, const Value& input) {
  const Tensor x = as_tensor(input);
  Tensor y = ctx.result<ActivationForward>(x.shape(), x);
  ctx.run<ActivationForward>(Activation::sigmoid, x, y.view());
  if (!ctx.training()) return {y, {}};
  return {y, [x, y](Context& ctx, const Value& dy) -> Value {
            Tensor dx = ctx.gradient<ActivationBackward>(x);
            ctx.run<ActivationBackward>(Activation::sigmoid, as_tensor(dy), x, y, dx.view());
            return dx;
          }};
}

}  // namespace

ModelPtr sigmoid_activation() {
  return std::make_shared<Model>("sigmoid_activation", forward);
}

static const Registration registered{"layers", "sigmoid_activation.v1", sigmoid_activation,
                                     "numbers between 0 and 1, without weights"};

}  // namespace weft::layers
