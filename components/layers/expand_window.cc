// expand_window.v1: every row with its neighbours. Source: Thinc 8.3.
#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "framework/ops/window.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model& model, const Value& input) {
  const int window = static_cast<int>(model.attr("window_size")->as_integer());
  const Tensor& x = as_tensor(input);
  Tensor y = ctx.result<WindowForward>({x.dim(0), x.dim(1) * (2 * window + 1)}, x);
  ctx.run<WindowForward>(x, window, y.view());
  if (!ctx.training()) return {y, {}};
  return {y, [window, x](Context& ctx, const Value& dy) -> Value {
            Tensor dx = ctx.gradient<WindowBackward>(x);
            ctx.run<WindowBackward>(as_tensor(dy), window, dx.view());
            return dx;
          }};
}

// The windows, and the gradient of the input.
LayerCost cost(const Model& model, double width) {
  const auto window = static_cast<double>(model.attr("window_size")->as_integer());
  const double wide = width * (2 * window + 1);
  return {.per_row = wide + width, .width = wide};
}

struct ExpandWindow {
  int window_size = 1;
};

template <class V>
void fields(V& v, ExpandWindow& c) {
  v("window_size", c.window_size, "neighbours on each side", closed_range(0, kWidestWindow));
}

ModelPtr make(const ExpandWindow& c) {
  return expand_window(c.window_size);
}

}  // namespace

ModelPtr expand_window(int window) {
  auto model = std::make_shared<Model>("expand_window", forward);
  model->set_fixed_attr("window_size", window);
  model->set_cost(cost);
  return model;
}

static const Registration registered{"layers", "expand_window.v1", make,
                                     "every row with its neighbours"};

}  // namespace weft::layers
