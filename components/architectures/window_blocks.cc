#include "components/architectures/window_blocks.h"

#include <memory>
#include <utility>
#include <vector>

#include "components/architectures/maxout_block.h"
#include "components/layers/layers.h"
#include "framework/nn/window_rows.h"
#include "framework/ops/gather.h"

namespace weft {

namespace {

struct Stack {
  int window, depth;
};

// The residual layers of an encoder; a single one stands for itself.
std::vector<const Model*> residuals_of(const Model& encoder, int depth) {
  const Model& stack = *encoder.layers()[0];
  if (depth == 1) return {&stack};
  std::vector<const Model*> all;
  for (const ModelPtr& layer : stack.layers()) all.push_back(layer.get());
  return all;
}

// A pass through the layers. What their blocks refer to lives as long as they do.
class StackPass {
 public:
  StackPass(const Model& encoder, Stack stack, std::span<const std::int64_t> lengths,
            std::int64_t pad)
      : layers_(residuals_of(encoder, stack.depth)),
        rows_(lengths, stack.window, stack.depth, pad) {
    masks_.reserve(layers_.size());
  }

  Tensor forward(Context& ctx, const Tensor& input) {
    Tensor x = input;
    for (const Model* residual : layers_) {
      const Model& layer = *residual->layers()[0]->layers()[1];  // ((maxout, norm), dropout)
      const MaxoutParts parts(*layer.layers()[0]);
      const int level = static_cast<int>(blocks_.size()) + 1;
      masks_.push_back(
          layers::dropout_mask(ctx, *layer.layers()[1], {rows_.padded_rows(), parts.width()}));
      MaxoutBlock& block = blocks_.emplace_back(
          parts,
          MaxoutBlockRows{{}, {}, masks_.back().cview(), rows_.place(level), rows_.seen(level)});
      const Tensor windows = windows_of(ctx, x, level);
      x = block.forward(ctx, windows, x);
    }
    return x;
  }

  Tensor backward(Context& ctx, const Tensor& d_output) const {
    Tensor dy = d_output;
    for (int level = static_cast<int>(blocks_.size()); level > 0; --level) {
      const Tensor d_windows = blocks_[static_cast<std::size_t>(level) - 1].backward(ctx, dy);
      Tensor dx = ctx.empty({rows_.rows(level - 1), dy.dim(1)});
      ctx.run<WindowRowsBackward>(dy, d_windows, rows_.seen(level), dx.view());
      dy = dx;
    }
    return dy;
  }

 private:
  // (rows of the level, rows in a window * width)
  Tensor windows_of(Context& ctx, const Tensor& x, int level) const {
    const ConstView seen = rows_.seen(level);
    Tensor windows = ctx.empty({seen.rows(), seen.cols() * x.dim(1)});
    ctx.run<GatherRows>(x, ConstView(seen.data, DType::i32, {seen.size(), 1}),
                        windows.reshaped({seen.size(), x.dim(1)}).view());
    return windows;
  }

  std::vector<const Model*> layers_;
  WindowRows rows_;
  std::vector<Tensor> masks_;
  std::vector<MaxoutBlock> blocks_;
};

Forward forward(Context& ctx, const Model& encoder, Stack stack, const Value& input) {
  const Ragged x = as_ragged(ctx, input);
  const std::int64_t pad = encoder.attr("pad")->as_integer();
  const auto pass = std::make_shared<StackPass>(encoder, stack, x.lengths, pad);
  const RowPlace place(ctx, ctx.tokens_before() + ctx.docs_before() * pad);
  Ragged y{pass->forward(ctx, x.data), x.lengths};
  if (!ctx.training()) return {std::move(y), {}};
  return {std::move(y), [pass, lengths = x.lengths](Context& ctx, const Value& dy) -> Value {
            return Ragged{pass->backward(ctx, as_ragged(ctx, dy).data), lengths};
          }};
}

}  // namespace

void run_by_block(Model& encoder, int window, int depth) {
  encoder.set_forward([stack = Stack{window, depth}, plain = encoder.forward_function()](
                          Context& ctx, const Model& model, const Value& input) {
    const bool by_block = runs_blocks(ctx) && !std::holds_alternative<Tensor>(input);
    return by_block ? forward(ctx, model, stack, input) : plain(ctx, model, input);
  });
}

}  // namespace weft
