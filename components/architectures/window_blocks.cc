#include "components/architectures/window_blocks.h"

#include <memory>
#include <utility>
#include <vector>

#include "components/layers/layers.h"
#include "framework/nn/window_rows.h"
#include "framework/ops/gather.h"
#include "framework/ops/gemm.h"
#include "framework/ops/maxout_block.h"

namespace weft {

namespace {

// One residual layer's parts, by their places in it.
struct Parts {
  explicit Parts(const Model& residual)
      : block(*residual.layers()[0]->layers()[1]),
        maxout(*block.layers()[0]->layers()[0]),
        norm(*block.layers()[0]->layers()[1]),
        dropout(*block.layers()[1]) {}
  const Model &block, &maxout, &norm, &dropout;

  std::int64_t width() const { return maxout.param("W").value.dim(0); }
  std::int64_t pieces() const { return maxout.param("W").value.dim(1); }
  Tensor weights() const {
    const Tensor& w = maxout.param("W").value;
    return w.reshaped({w.dim(0) * w.dim(1), w.dim(2)});
  }
};

// What a layer keeps for its way back.
struct Kept {
  Tensor windows, largest, winners, stats, mask;
};

// One layer of the stack, number `level` from 1 on, in a pass.
struct Block {
  Parts parts;
  const WindowRows& rows;
  int level;

  MaxoutBlockRows numbers(const Tensor& mask) const {
    return {parts.norm.param("G").value.cview(), parts.norm.param("b").value.cview(), mask.cview(),
            rows.place(level), rows.seen(level)};
  }
  // The numbers of all windows, as rows of a matrix of one column.
  ConstView seen() const {
    const ConstView all = rows.seen(level);
    return {all.data, DType::i32, {all.size(), 1}};
  }

  Tensor forward(Context& ctx, const Tensor& x, Kept& kept) const {
    const LayerScope scope(ctx, parts.maxout.path());
    const std::int64_t n = rows.rows(level), width = parts.width();
    const std::int64_t in_window = rows.seen(level).cols();
    kept.windows = ctx.empty({n, in_window * x.dim(1)});
    ctx.run<GatherRows>(x, seen(), kept.windows.reshaped({n * in_window, x.dim(1)}).view());
    Tensor z = ctx.empty({n, width, parts.pieces()});
    ctx.run<Affine>(kept.windows, parts.weights(), parts.maxout.param("b").value,
                    z.reshaped({n, width * parts.pieces()}).view());
    kept.largest = ctx.empty({n, width});
    kept.winners = ctx.empty({n, width}, DType::u8);
    kept.stats = ctx.empty({n, 2});
    kept.mask = layers::dropout_mask(ctx, parts.dropout, {rows.padded_rows(), width});
    Tensor y = ctx.empty({n, width});
    ctx.run<MaxoutBlockForward>(z, x, numbers(kept.mask), kept.largest.view(), kept.winners.view(),
                                kept.stats.view(), y.view());
    return y;
  }

  Tensor backward(Context& ctx, const Kept& kept, const Tensor& dy) const {
    const LayerScope scope(ctx, parts.maxout.path());
    const std::int64_t n = dy.dim(0), width = dy.dim(1);
    Tensor dz = ctx.empty({n, width, parts.pieces()});
    const auto grad = [&](const Model& model, std::string_view name) {
      return Model::grad(ctx, model.param(name)).view();
    };
    ctx.run<MaxoutBlockBackward>(dy, kept.largest, kept.winners, kept.stats, numbers(kept.mask),
                                 dz.view(), grad(parts.norm, "G"), grad(parts.norm, "b"),
                                 grad(parts.maxout, "b"));
    const Tensor weights = parts.weights(), dz_rows = dz.reshaped({n, weights.dim(0)});
    Tensor& d_weights = Model::grad(ctx, parts.maxout.param("W"));
    ctx.run<Gemm>(dz_rows, Transpose::yes, kept.windows, Transpose::no,
                  d_weights.reshaped(weights.shape()).view(), 1.0F);
    Tensor d_windows = ctx.empty(kept.windows.shape());
    ctx.run<Gemm>(dz_rows, Transpose::no, weights, Transpose::no, d_windows.view(), 0.0F);
    Tensor dx = ctx.empty({rows.rows(level - 1), width});
    ctx.run<WindowRowsBackward>(dy, d_windows, rows.seen(level), dx.view());
    return dx;
  }
};

struct Pass {
  std::vector<const Model*> layers;
  WindowRows rows;
  std::vector<Kept> kept;

  Block block(std::size_t i) const { return {Parts(*layers[i]), rows, static_cast<int>(i) + 1}; }
};

// The residual layers of an encoder; a single one stands for itself.
std::vector<const Model*> residuals_of(const Model& encoder, int depth) {
  const Model& stack = *encoder.layers()[0];
  if (depth == 1) return {&stack};
  std::vector<const Model*> all;
  for (const ModelPtr& layer : stack.layers()) all.push_back(layer.get());
  return all;
}

struct Stack {
  int window, depth;
};

Forward forward(Context& ctx, const Model& encoder, Stack stack, const Value& input) {
  const Ragged x = as_ragged(ctx, input);
  const std::int64_t pad = encoder.attr("pad")->as_integer();
  const auto pass =
      std::make_shared<Pass>(Pass{residuals_of(encoder, stack.depth),
                                  WindowRows(x.lengths, stack.window, stack.depth, pad),
                                  {}});
  pass->kept.resize(pass->layers.size());
  const RowPlace place(ctx, ctx.tokens_before() + ctx.docs_before() * pad);
  Tensor y = x.data;
  for (std::size_t i = 0; i < pass->layers.size(); ++i) {
    y = pass->block(i).forward(ctx, y, pass->kept[i]);
  }
  if (!ctx.training()) return {Ragged{y, x.lengths}, {}};
  return {Ragged{y, x.lengths}, [pass, lengths = x.lengths](Context& ctx, const Value& d_output) {
            Tensor dy = as_ragged(ctx, d_output).data;
            for (std::size_t i = pass->layers.size(); i-- > 0;) {
              dy = pass->block(i).backward(ctx, pass->kept[i], dy);
            }
            return Value(Ragged{dy, lengths});
          }};
}

}  // namespace

void run_by_block(Model& encoder, int window, int depth) {
  encoder.set_forward([stack = Stack{window, depth}, plain = encoder.forward_function()](
                          Context& ctx, const Model& model, const Value& input) {
    const bool as_layers = !ctx.on_cpu() || ctx.formats() != nullptr || ctx.observer() != nullptr ||
                           std::holds_alternative<Tensor>(input);
    return as_layers ? plain(ctx, model, input) : forward(ctx, model, stack, input);
  });
}

}  // namespace weft
