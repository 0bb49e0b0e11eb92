#include "framework/nn/fused/window_blocks.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "framework/nn/dropout_mask.h"
#include "framework/nn/fused/layer_strips.h"
#include "framework/nn/fused/maxout_block.h"
#include "framework/nn/window_rows.h"

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
      masks_.push_back(dropout_mask(ctx, *layer.layers()[1], {rows_.padded_rows(), parts.width()}));
      MaxoutBlock& block = blocks_.emplace_back(
          parts, MaxoutBlockRows{masks_.back().cview(), rows_.place(level), rows_.seen(level)});
      x = block.forward(ctx, x);
    }
    return x;
  }

  Tensor backward(Context& ctx, const Tensor& d_output) const {
    Tensor dy = d_output;
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
      dy = block->backward(ctx, dy);
    }
    return dy;
  }

 private:
  std::vector<const Model*> layers_;
  WindowRows rows_;
  std::vector<Tensor> masks_;
  std::vector<MaxoutBlock> blocks_;
};

// The same under a precision policy.
class StripsPass {
 public:
  StripsPass(const Model& encoder, Stack stack, std::span<const std::int64_t> lengths,
             std::int64_t pad)
      : layers_(residuals_of(encoder, stack.depth)),
        rows_(lengths, stack.window, stack.depth, pad) {}

  Tensor forward(Context& ctx, const Tensor& input) {
    SparedMemory memory(ctx);
    Tensor x = input;
    for (const Model* residual : layers_) {
      const StripLayers layers = parts_of(*residual);
      const int level = static_cast<int>(strips_.size()) + 1;
      const std::int64_t width = layers.maxout->param("W").value.dim(0);
      KeptMask mask(ctx, dropout_mask(ctx, *layers.dropout, {rows_.padded_rows(), width}), memory);
      x = strips_
              .emplace_back(layers, StripRows{rows_.place(level), rows_.seen(level)},
                            std::move(mask))
              .forward(ctx, memory, x);
    }
    return x;
  }

  // What the first layer got belongs to others.
  Tensor backward(Context& ctx, const Tensor& d_output) {
    Tensor dy = d_output;
    for (auto strips = strips_.rbegin(); strips != strips_.rend(); ++strips) {
      dy = strips->backward(ctx, dy, std::next(strips) != strips_.rend());
    }
    return dy;
  }

 private:
  static StripLayers parts_of(const Model& residual) {
    const Model& chain = *residual.layers()[0];
    const Model& layer = *chain.layers()[1];  // ((maxout, norm), dropout)
    const MaxoutParts parts(*layer.layers()[0]);
    return {&residual, chain.layers()[0].get(), &parts.maxout, &parts.norm,
            layer.layers()[1].get()};
  }

  std::vector<const Model*> layers_;
  WindowRows rows_;
  std::vector<LayerStrips> strips_;
};

template <class StackPass>
Forward forward(Context& ctx, const Model& encoder, Stack stack, const Value& input) {
  const Ragged x = as_ragged(ctx, input);
  const std::int64_t pad = encoder.attr("pad")->as_integer();
  const auto pass = std::make_shared<StackPass>(encoder, stack, x.lengths, pad);
  const RowPlace place(ctx.pass(), ctx.pass().tokens_before() + ctx.pass().docs_before() * pad);
  Ragged y{pass->forward(ctx, x.data), x.lengths};
  if (!ctx.training()) return {std::move(y), {}};
  return {std::move(y), [pass, lengths = x.lengths](Context& ctx, const Value& dy) -> Value {
            return Ragged{pass->backward(ctx, as_ragged(ctx, dy).data), lengths};
          }};
}

bool has_rows(const Value& input) {
  if (const auto* ragged = std::get_if<Ragged>(&input)) return ragged->data.dim(0) > 0;
  const auto* list = std::get_if<TensorList>(&input);
  return list != nullptr &&
         std::any_of(list->begin(), list->end(), [](const Tensor& doc) { return doc.dim(0) > 0; });
}

}  // namespace

void run_by_block(Model& encoder, int window, int depth) {
  encoder.set_forward([stack = Stack{window, depth}, plain = encoder.forward_function()](
                          Context& ctx, const Model& model, const Value& input) {
    if (std::holds_alternative<Tensor>(input)) return plain(ctx, model, input);
    if (runs_blocks(ctx)) return forward<StackPass>(ctx, model, stack, input);
    const bool by_strips = runs_strips(ctx) && has_rows(input);
    return by_strips ? forward<StripsPass>(ctx, model, stack, input) : plain(ctx, model, input);
  });
}

}  // namespace weft
