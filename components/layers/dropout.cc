// Dropout.v1. Srivastava and others (2014); Thinc 8.3. In training all dropout layers use the rate
// of the run; a layer's own rate is what model files carry.
#include "framework/ops/dropout.h"

#include <optional>

#include "components/layers/layers.h"
#include "framework/nn/dropout_mask.h"
#include "framework/ops/elementwise.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Tensor multiplied(Context& ctx, const Tensor& x, const Tensor& mask) {
  Tensor y = ctx.result<Multiply>(x.shape(), x);
  ctx.run<Multiply>(x, mask, y.view());
  return y;
}

// Where a mask would be no more than draws, that nobody rounds or looks at, it is never made.
std::optional<DropoutDraws> draws_instead(Context& ctx, const Model& model, std::int64_t width) {
  const bool is_seen = ctx.formats() != nullptr || ctx.watch().observer() != nullptr;
  if (is_seen || !ctx.has<ApplyDropout>()) return {};
  return dropout_draws(ctx, model, width);
}

Tensor dropped(Context& ctx, const Tensor& x, const DropoutDraws& draws) {
  Tensor y = ctx.empty(x.shape());
  ctx.run<ApplyDropout>(x, draws, y.view());
  return y;
}

Forward forward(Context& ctx, const Model& model, const Value& input) {
  if (!ctx.training()) return {input, {}};
  const Tensor& x = as_tensor(input);
  if (const auto draws = draws_instead(ctx, model, x.dim(1))) {
    return {dropped(ctx, x, *draws), [draws = *draws](Context& ctx, const Value& dy) -> Value {
              return dropped(ctx, as_tensor(dy), draws);
            }};
  }
  const Tensor mask = dropout_mask(ctx, model, x.shape());
  if (!mask) return {input, [](Context&, const Value& dy) { return dy; }};
  return {multiplied(ctx, x, mask), [mask](Context& ctx, const Value& dy) -> Value {
            return multiplied(ctx, as_tensor(dy), mask);
          }};
}

// The mask, the output and its gradient.
LayerCost cost(const Model&, double width) {
  return {.per_row = 3 * width, .width = width};
}

struct Dropout {
  double rate = 0.0;
};

template <class V>
void fields(V& v, Dropout& c) {
  v("rate", c.rate, "share of elements set to zero; training sets the rate of the run instead",
    range(0.0, 1.0));
}

ModelPtr make(const Dropout& c) {
  return dropout(c.rate);
}

}  // namespace

ModelPtr dropout(double rate) {
  auto model = std::make_shared<Model>("dropout", forward);
  model->set_attr("dropout_rate", rate);
  model->set_attr("is_enabled", true);
  model->set_cost(cost);
  return model;
}

static const Registration registered{"layers", "Dropout.v1", make,
                                     "sets elements to zero at random while training"};

}  // namespace weft::layers
