#include "framework/nn/fused/window_blocks.h"

#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/nn/dropout_mask.h"
#include "framework/nn/fused/maxout_block.h"
#include "framework/nn/window_rows.h"

namespace weft {

namespace {

// Where the stack stands in an encoder, and the parts of each of its layers in that.
struct Places {
  Places(const Model& encoder, const ModelPtr& whole, const WindowLayer& layer, int depth)
      : depth(depth),
        stack(place_of(whole, encoder)),
        window(place_of(layer.window, *layer.residual)),
        affine(place_of(layer.maxout.affine, *layer.residual)),
        norm(place_of(layer.maxout.norm, *layer.residual)),
        dropout(place_of(layer.maxout.dropout, *layer.residual)) {}

  MaxoutParts parts_of(const Model& residual) const {
    const std::vector<const Model*> nodes = residual.walk();
    return {nodes[affine], nodes[norm], nodes[dropout], nodes[window], &residual};
  }
  // Of all layers; a single one is the stack itself.
  std::vector<MaxoutParts> layers_of(const Model& encoder) const {
    const Model& whole = *encoder.walk()[stack];
    if (depth == 1) return {parts_of(whole)};
    std::vector<MaxoutParts> all;
    for (const ModelPtr& layer : whole.layers()) all.push_back(parts_of(*layer));
    return all;
  }

  int depth;
  std::size_t stack, window, affine, norm, dropout;
};

// The tables of all levels of a stack where the pass runs: its device gets them in one array.
std::vector<MaxoutBlockRows> placed_rows(Context& ctx, const WindowRows& rows, int depth) {
  std::vector<MaxoutBlockRows> placed;
  for (int level = 1; level <= depth; ++level) {
    placed.push_back({rows.place(level), rows.seen(level)});
  }
  if (ctx.uses_host_memory()) return placed;
  std::vector<std::int32_t> all;
  std::vector<std::size_t> begins;
  const auto add = [&](std::span<const std::int32_t> table) {
    begins.push_back(all.size());
    all.insert(all.end(), table.begin(), table.end());
  };
  const auto numbers_of = [](ConstView table) {
    return std::span(table.as<std::int32_t>(), static_cast<std::size_t>(table.size()));
  };
  for (int level = 1; level <= depth; ++level) {
    add(numbers_of(rows.place(level)));
    add(numbers_of(rows.seen(level)));
    if (ctx.training()) add(rows.seen_by(level));
  }
  const std::int32_t* there = ctx.placed_array(std::span<const std::int32_t>(all));
  auto begin = begins.begin();
  for (int level = 1; level <= depth; ++level) {
    MaxoutBlockRows& of = placed[static_cast<std::size_t>(level - 1)];
    of.place.data = there + *begin++;
    of.seen.data = there + *begin++;
    if (!ctx.training()) continue;
    of.seen_by = {there + *begin++, DType::i32, {rows.rows(level - 1), of.seen.cols()}};
  }
  return placed;
}

// A pass through the layers. Arrays that their blocks refer to live as long as they do.
class StackPass {
 public:
  StackPass(std::vector<MaxoutParts> layers, std::span<const std::int64_t> lengths,
            std::int64_t pad)
      : layers_(std::move(layers)),
        rows_(lengths, static_cast<int>(layers_[0].window->attr("window_size")->as_integer()),
              static_cast<int>(layers_.size()), pad) {}

  Tensor forward(Context& ctx, const Tensor& input) {
    SparedMemory memory(ctx);
    Tensor x = input;
    const auto rows = placed_rows(ctx, rows_, static_cast<int>(layers_.size()));
    for (const MaxoutParts& layer : layers_) {
      BlockDropout dropout = dropout_of(ctx, layer, memory);
      MaxoutBlock& block = blocks_.emplace_back(layer, rows[blocks_.size()], std::move(dropout));
      x = block.forward(ctx, memory, x);
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
  const auto pass = std::make_shared<StackPass>(places.layers_of(encoder), x.lengths, pad);
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
