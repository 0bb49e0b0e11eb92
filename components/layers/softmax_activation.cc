// softmax_activation.v1: rows to probabilities, without weights. Source: Thinc 8.3. Unlike the
// layer `Softmax.v2` it takes the gradient of what it gives, and so has the softmax's own slope.
#include "components/layers/layers.h"
#include "framework/ops/softmax.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model&, const Value& input) {
  const Tensor x = as_tensor(input);
  Tensor y = ctx.result<SoftmaxForward>(x.shape(), x);
  ctx.run<SoftmaxForward>(x, 1.0F, y.view());
  if (!ctx.training()) return {y, {}};
  return {y, [x, y](Context& ctx, const Value& dy) -> Value {
            Tensor dx = ctx.gradient<SoftmaxBackward>(x);
            ctx.run<SoftmaxBackward>(as_tensor(dy), y, dx.view());
            return dx;
          }};
}

void initialize(Context& ctx, Model&, const Value&, const Value&, InitRandom&) {
  ctx.require<SoftmaxForward>();
  ctx.require<SoftmaxBackward>();
}

}  // namespace

ModelPtr softmax_activation() {
  return std::make_shared<Model>("softmax_activation", forward, initialize);
}

static const Registration registered{"layers", "softmax_activation.v1", softmax_activation,
                                     "rows to probabilities, without weights"};

}  // namespace weft::layers
