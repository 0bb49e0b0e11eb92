#include "framework/nn/fused/maxout_block.h"

namespace weft {

std::int64_t MaxoutParts::width() const {
  return maxout.param("W").value.dim(0);
}

bool runs_blocks(const Context& ctx) {
  return ctx.on_cpu() && ctx.formats() == nullptr && ctx.watch().observer() == nullptr;
}

MaxoutBlockLayer MaxoutBlock::layer(const Context& ctx) const {
  const Tensor& w = parts_.maxout.param("W").value;
  return {ConstView(w.cview().data, w.dtype(), {w.dim(0) * w.dim(1), w.dim(2)}),
          parts_.maxout.param("b").value.cview(),
          parts_.norm.param("G").value.cview(),
          parts_.norm.param("b").value.cview(),
          rows_.mask,
          rows_.place,
          rows_.seen,
          ctx.pass().sharing()};
}

Tensor MaxoutBlock::forward(Context& ctx, const Tensor& x) {
  const LayerScope scope(ctx.watch(), parts_.maxout.path());
  const std::int64_t n = rows_.seen ? rows_.seen.rows() : x.dim(0), width = parts_.width();
  x_ = x;
  largest_ = ctx.empty({n, width});
  winners_ = ctx.empty({n, width}, DType::u8);
  stats_ = ctx.empty({n, 2});
  Tensor y = ctx.empty({n, width});
  ctx.run<MaxoutBlockForward>(x, layer(ctx), largest_.view(), winners_.view(), stats_.view(),
                              y.view());
  return y;
}

Tensor MaxoutBlock::backward(Context& ctx, const Tensor& dy) const {
  const LayerScope scope(ctx.watch(), parts_.maxout.path());
  const auto grad = [&](const Model& model, std::string_view name) {
    return Model::grad(ctx, model.param(name)).view();
  };
  const Gradients::Fresh weights = ctx.gradients().of_fresh(parts_.maxout.param("W"));
  const MaxoutBlockGradients gradients{weights.array.view(), grad(parts_.maxout, "b"),
                                       grad(parts_.norm, "G"), grad(parts_.norm, "b"),
                                       weights.is_fresh};
  Tensor dx = ctx.empty(x_.shape());
  ctx.run<MaxoutBlockBackward>(dy, x_, largest_, winners_, stats_, layer(ctx), gradients,
                               dx.view());
  return dx;
}

}  // namespace weft
