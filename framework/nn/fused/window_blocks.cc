#include "framework/nn/fused/window_blocks.h"

#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/nn/dropout_mask.h"
#include "framework/nn/fused/maxout_block.h"
#include "framework/nn/fused/part_path.h"
#include "framework/nn/window_rows.h"

namespace weft {

namespace {

// Where the stack stands in an encoder, and the parts of each of its layers in that.
struct Places {
  Places(const Model& encoder, const ModelPtr& whole, const WindowLayer& layer, int depth)
      : depth(depth),
        stack(whole, encoder),
        window(layer.window, *layer.residual),
        affine(layer.maxout.affine, *layer.residual),
        norm(layer.maxout.norm, *layer.residual),
        dropout(layer.maxout.dropout, *layer.residual) {}

  MaxoutParts parts_of(const Model& residual) const {
    return {&affine.in(residual), &norm.in(residual), &dropout.in(residual), &window.in(residual),
            &residual};
  }
  // Of all layers; a single one is the stack itself.
  std::vector<MaxoutParts> layers_of(const Model& encoder) const {
    const Model& whole = stack.in(encoder);
    if (depth == 1) return {parts_of(whole)};
    std::vector<MaxoutParts> all;
    for (const ModelPtr& layer : whole.layers()) all.push_back(parts_of(*layer));
    return all;
  }

  int depth;
  PartPath stack, window, affine, norm, dropout;
};

// Backward passes of a device gather where those of the CPU scatter.
bool wants_both_sides(const Context& ctx) {
  return ctx.training() && !ctx.uses_host_memory();
}

// The tables of all levels of a stack where the pass runs: its device gets them in one array.
std::vector<MaxoutBlockRows> placed_rows(Context& ctx, WindowRows& rows, int depth) {
  Tensor here = ctx.host_array({rows.size()}, DType::i32);
  rows.fill(here.data<std::int32_t>());
  const Tensor there = ctx.placed(here);
  const auto placed = [&](ConstView table) {
    const auto begin = table.as<std::int32_t>() - here.data<std::int32_t>();
    table.data = there.cview().as<std::int32_t>() + begin;
    return table;
  };
  std::vector<MaxoutBlockRows> all;
  for (int level = 1; level <= depth; ++level) {
    MaxoutBlockRows& of = all.emplace_back();
    of.place = placed(rows.place(level));
    of.seen = placed(rows.seen(level));
    if (wants_both_sides(ctx)) of.seen_by = placed(rows.seen_by(level));
  }
  return all;
}

// A pass through the layers. Arrays that their blocks refer to live as long as they do.
class StackPass {
 public:
  StackPass(const Context& ctx, std::vector<MaxoutParts> layers,
            std::span<const std::int64_t> lengths, std::int64_t pad)
      : layers_(std::move(layers)),
        rows_(lengths, static_cast<int>(layers_[0].window->attr("window_size")->as_integer()),
              static_cast<int>(layers_.size()), pad,
              wants_both_sides(ctx) ? WindowRows::Sides::both_sides : WindowRows::Sides::one_side) {
  }

  Tensor forward(Context& ctx, const Tensor& input) {
    SparedMemory memory(ctx);
    Tensor x = input;
    const auto rows = placed_rows(ctx, rows_, static_cast<int>(layers_.size()));
    for (const MaxoutParts& layer : layers_) {
      BlockDropout dropout = dropout_of(ctx, layer, memory);
      MaxoutBlock& block = blocks_.emplace_back(layer, rows[blocks_.size()], std::move(dropout));
      Tensor y = block.forward(ctx, memory, x);
      // A prediction goes to and fro between two arrays, which stay in the caches.
      if (!ctx.training() && blocks_.size() > 1) memory.spare(x);
      x = std::move(y);
    }
    return x;
  }

  // The input of the first layer belongs to others.
  Tensor backward(Context& ctx, const Tensor& d_output) {
    Tensor dy = d_output;
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
      dy = block->backward(ctx, dy, std::next(block) != blocks_.rend());
    }
    return dy;
  }

 private:
  // Under a policy memory matters more than the time to make it smaller.
  BlockDropout dropout_of(Context& ctx, const MaxoutParts& layer, SparedMemory& memory) const {
    if (auto draws = dropout_draws(ctx, *layer.dropout, layer.width())) return {{}, draws};
    Tensor mask = dropout_mask(ctx, *layer.dropout, {rows_.padded_rows(), layer.width()});
    if (ctx.formats() == nullptr) return {SavedMask(std::move(mask))};
    return {SavedMask(ctx, std::move(mask), memory)};
  }

  std::vector<MaxoutParts> layers_;
  WindowRows rows_;
  std::vector<MaxoutBlock> blocks_;
};

Forward forward(Context& ctx, const Model& encoder, const Places& places, const Value& input) {
  const Ragged x = as_ragged(ctx, input);
  const std::int64_t pad = encoder.attr("pad")->as_integer();
  const auto pass = std::make_shared<StackPass>(ctx, places.layers_of(encoder), x.lengths, pad);
  const RowPlace place(ctx.pass(), ctx.pass().tokens_before() + ctx.pass().docs_before() * pad);
  Ragged y{pass->forward(ctx, x.data), x.lengths};
  if (!ctx.training()) return {std::move(y), {}};
  return {std::move(y), [pass, lengths = x.lengths](Context& ctx, const Value& dy) -> Value {
            return Ragged{pass->backward(ctx, as_ragged(ctx, dy).data), lengths};
          }};
}

}  // namespace

void run_by_block(Model& encoder, const ModelPtr& stack, const WindowLayer& layer, int depth) {
  const Places places(encoder, stack, layer, depth);
  encoder.set_forward([places, plain = encoder.forward_function()](Context& ctx, const Model& model,
                                                                   const Value& input) {
    const bool is_array = std::holds_alternative<Tensor>(input);
    return is_array || !runs_blocks(ctx) ? plain(ctx, model, input)
                                         : forward(ctx, model, places, input);
  });
}

}  // namespace weft
