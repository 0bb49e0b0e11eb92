#include "components/architectures/maxout_block.h"

#include "framework/ops/gemm.h"

namespace weft {

std::int64_t MaxoutParts::width() const {
  return maxout.param("W").value.dim(0);
}

Tensor MaxoutParts::weights() const {
  const Tensor& w = maxout.param("W").value;
  return w.reshaped({w.dim(0) * w.dim(1), w.dim(2)});
}

bool runs_blocks(const Context& ctx) {
  return ctx.on_cpu() && ctx.formats() == nullptr && ctx.observer() == nullptr;
}

MaxoutBlock::MaxoutBlock(const MaxoutParts& parts, MaxoutBlockRows rows)
    : parts_(parts), rows_(rows) {
  rows_.gain = parts_.norm.param("G").value.cview();
  rows_.bias = parts_.norm.param("b").value.cview();
}

Tensor MaxoutBlock::forward(Context& ctx, const Tensor& inputs, const Tensor& x) {
  const LayerScope scope(ctx, parts_.maxout.path());
  const Tensor& bias = parts_.maxout.param("b").value;
  const std::int64_t n = inputs.dim(0), width = bias.dim(0), pieces = bias.dim(1);
  inputs_ = inputs;
  Tensor z = ctx.empty({n, width, pieces});
  ctx.run<Affine>(inputs, parts_.weights(), bias, z.reshaped({n, width * pieces}).view());
  largest_ = ctx.empty({n, width});
  winners_ = ctx.empty({n, width}, DType::u8);
  stats_ = ctx.empty({n, 2});
  Tensor y = ctx.empty({n, width});
  ctx.run<MaxoutBlockForward>(z, x, rows_, largest_.view(), winners_.view(), stats_.view(),
                              y.view());
  return y;
}

Tensor MaxoutBlock::backward(Context& ctx, const Tensor& dy) const {
  const LayerScope scope(ctx, parts_.maxout.path());
  const Tensor weights = parts_.weights();
  const std::int64_t n = dy.dim(0), width = dy.dim(1);
  Tensor dz = ctx.empty({n, width, weights.dim(0) / width});
  const auto grad = [&](const Model& model, std::string_view name) {
    return Model::grad(ctx, model.param(name)).view();
  };
  ctx.run<MaxoutBlockBackward>(dy, largest_, winners_, stats_, rows_, dz.view(),
                               grad(parts_.norm, "G"), grad(parts_.norm, "b"),
                               grad(parts_.maxout, "b"));
  const Tensor dz_rows = dz.reshaped({n, weights.dim(0)});
  Tensor& d_weights = Model::grad(ctx, parts_.maxout.param("W"));
  ctx.run<Gemm>(dz_rows, Transpose::yes, inputs_, Transpose::no,
                d_weights.reshaped(weights.shape()).view(), 1.0F);
  Tensor d_inputs = ctx.empty(inputs_.shape());
  ctx.run<Gemm>(dz_rows, Transpose::no, weights, Transpose::no, d_inputs.view(), 0.0F);
  return d_inputs;
}

}  // namespace weft
