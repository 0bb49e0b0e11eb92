// Logistic.v1: 1 / (1 + e^-x), of x within -20 and 20. Source: Thinc 8.3.
#include "components/layers/layers.h"
#include "framework/ops/activation.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model&, const Value& input) {
  const Tensor x = as_tensor(input);
  Tensor y = ctx.result<ActivationForward>(x.shape(), x);
  ctx.run<ActivationForward>(Activation::logistic, x, y.view());
  if (!ctx.training()) return {y, {}};
  return {y, [x, y](Context& ctx, const Value& dy) -> Value {
            Tensor dx = ctx.gradient<ActivationBackward>(x);
            ctx.run<ActivationBackward>(Activation::logistic, as_tensor(dy), x, y, dx.view());
            return dx;
          }};
}

}  // namespace

ModelPtr logistic() {
  return std::make_shared<Model>("logistic", forward);
}

static const Registration registered{"layers", "Logistic.v1", logistic,
                                     "numbers between 0 and 1, without weights; clipped"};

}  // namespace weft::layers
