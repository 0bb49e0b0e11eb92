#include "framework/nn/fused/embed_by_type.h"

#include <memory>
#include <utility>

#include "framework/nn/fused/layer_strips.h"
#include "framework/nn/fused/maxout_block.h"
#include "framework/nn/unique_rows.h"
#include "framework/ops/gather.h"

namespace weft {

namespace {

// The parts of the chain, by their place in it.
struct Parts {
  explicit Parts(const Model& embed)
      : features(*embed.layers()[0]),
        tables(*embed.layers()[2]),
        mix(*embed.layers()[3]->layers()[0]->layers()[0]),
        dropout(*embed.layers()[3]->layers()[0]->layers()[1]) {}
  const Model &features, &tables, &mix, &dropout;
};

// The mixing layer under a precision policy; what it got is its own.
Forward mixed_by_strips(Context& ctx, const Model& mix, const Value& rows) {
  const MaxoutParts parts(mix);
  const auto strips = std::make_shared<LayerStrips>(
      StripLayers{nullptr, nullptr, &parts.maxout, &parts.norm, nullptr}, StripRows(), KeptMask());
  Tensor vectors = strips->forward(ctx, ctx.allocator(), as_tensor(rows));
  return {std::move(vectors), [strips](Context& ctx, const Value& dy) -> Value {
            return strips->backward(ctx, as_tensor(dy), true);
          }};
}

// The mixing layer, one row for each type.
Forward mixed(Context& ctx, const Model& mix, const Value& rows) {
  if (runs_strips(ctx) && as_tensor(rows).dim(0) > 0) return mixed_by_strips(ctx, mix, rows);
  if (!runs_blocks(ctx)) return mix(ctx, rows);
  const auto block = std::make_shared<MaxoutBlock>(MaxoutParts(mix), MaxoutBlockRows());
  Tensor vectors = block->forward(ctx, as_tensor(rows));
  return {std::move(vectors), [block](Context& ctx, const Value& dy) -> Value {
            return block->backward(ctx, as_tensor(dy));
          }};
}

struct Ways {
  Backward tables, mix, dropout;
};

Value backward(Context& ctx, const Ways& ways, const Tensor& index, std::int64_t types,
               const Value& d_output) {
  const Value d_tokens = ways.dropout(ctx, as_ragged(ctx, d_output).data);
  const Tensor& dy = as_tensor(d_tokens);
  Tensor d_types = ctx.zeros({types, dy.dim(1)});
  ctx.run<ScatterAddRows>(dy, index, d_types.view());
  return ways.tables(ctx, ways.mix(ctx, d_types));
}

Forward forward(Context& ctx, const Model& embed, const Value& input) {
  const Parts parts(embed);
  Ragged ids = std::get<Ragged>(parts.features.predict(ctx, input));
  const UniqueRows types = unique_rows(ctx, ids.data);
  Forward tables = parts.tables(ctx, types.rows);
  Forward mix = mixed(ctx, parts.mix, tables.output);
  const Tensor& vectors = as_tensor(mix.output);
  Tensor tokens = ctx.result<GatherRows>({ids.data.dim(0), vectors.dim(1)}, vectors);
  ctx.run<GatherRows>(vectors, types.index, tokens.view());
  Forward dropped = parts.dropout(ctx, tokens);
  Ragged output{as_tensor(dropped.output), std::move(ids.lengths)};
  if (!ctx.training()) return {std::move(output), {}};
  return {std::move(output),
          [ways = Ways{std::move(tables.backward), std::move(mix.backward),
                       std::move(dropped.backward)},
           index = types.index, count = types.rows.dim(0)](Context& ctx, const Value& dy) {
            return backward(ctx, ways, index, count, dy);
          }};
}

}  // namespace

void run_by_type(Model& embed) {
  embed.set_forward(forward);
}

}  // namespace weft
