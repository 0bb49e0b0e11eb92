#include "framework/nn/fused/embed_by_type.h"

#include <memory>
#include <utility>
#include <vector>

#include "framework/nn/fused/hash_tables.h"
#include "framework/nn/fused/maxout_block.h"
#include "framework/nn/fused/part_path.h"
#include "framework/nn/fused/type_vectors.h"
#include "framework/nn/unique_rows.h"
#include "framework/ops/gather.h"
#include "framework/ops/packed_weights.h"
#include "framework/tensor/object_pool.h"

namespace weft {

namespace {

// Where the parts stand in the tree of the embedding.
struct Places {
  Places(const Model& embed, const EmbedParts& parts)
      : features(parts.features, embed),
        tables(parts.tables, embed),
        normalized(parts.mix.normalized, embed),
        affine(parts.mix.affine, embed),
        norm(parts.mix.norm, embed),
        dropout(parts.mix.dropout, embed) {
    for (const ModelPtr& hash : parts.hashes) hashes.emplace_back(hash, embed);
  }

  PartPath features, tables, normalized, affine, norm, dropout;
  std::vector<PartPath> hashes;
};

// The tables of types, all at once where that may be.
Forward looked_up(Context& ctx, const Model& embed, const Places& places, const Tensor& types) {
  std::vector<const Model*> hashes;
  for (const PartPath& hash : places.hashes) hashes.push_back(&hash.in(embed));
  if (!runs_tables(ctx, hashes)) return places.tables.in(embed)(ctx, types);
  const auto pass = std::make_shared<HashTablesPass>(std::move(hashes));
  Tensor vectors = pass->forward(ctx, types);
  if (!ctx.training()) return {std::move(vectors), {}};
  return {std::move(vectors), [pass](Context& ctx, const Value& dy) -> Value {
            pass->backward(ctx, as_tensor(dy));
            return {};
          }};
}

// The mixing layer without its dropout, one row for each type; the array is its own.
Forward mixed(Context& ctx, const MaxoutParts& parts, const Value& rows) {
  const auto block = std::make_shared<MaxoutBlock>(parts, MaxoutBlockRows(), BlockDropout());
  Tensor vectors = block->forward(ctx, ctx.allocator(), as_tensor(rows));
  return {std::move(vectors), [block](Context& ctx, const Value& dy) -> Value {
            return block->backward(ctx, as_tensor(dy), true);
          }};
}

struct Ways {
  Backward tables, mix, dropout;
};

Value backward(Context& ctx, const Ways& ways, const Tensor& index, std::int64_t types,
               const Value& d_output) {
  const Value d_tokens = ways.dropout(ctx, as_ragged(ctx, d_output).data);
  const Tensor& dy = as_tensor(d_tokens);
  Tensor d_types = ctx.empty({types, dy.dim(1)});
  ctx.run<ScatterAddRows>(dy, index, d_types.view(), 0.0F);
  return ways.tables(ctx, ways.mix(ctx, d_types));
}

using SavedVectors = ObjectPool<TypeVectors>;  // those of each thread

// Null where no vectors can be kept: in training, beside an observer, or where a row may come out
// otherwise beside other rows.
std::shared_ptr<SavedVectors> saved_vectors(Context& ctx, const Model& embed,
                                            const MaxoutParts& mix) {
  if (ctx.training() || !runs_blocks(ctx) || !has_packed_weights(ctx, mix)) return nullptr;
  return std::static_pointer_cast<SavedVectors>(ctx.pass().sharing().packed->saved_for(
      &embed, [] { return std::make_shared<SavedVectors>(); }));
}

// The vectors of tokens from those of earlier passes; only the types that are new are computed.
Forward with_saved_vectors(Context& ctx, TypeVectors& kept, const Model& tables,
                           const MaxoutParts& mix, Ragged ids) {
  const auto compute = [&](const Tensor& rows) {
    return as_tensor(mixed(ctx, mix, tables.predict(ctx, rows)).output);
  };
  Tensor tokens = kept.of(ctx, ids.data, compute);
  return {Ragged{std::move(tokens), std::move(ids.lengths)}, {}};
}

Forward forward(Context& ctx, const Model& embed, const Places& places, const Value& input) {
  Ragged ids = std::get<Ragged>(places.features.in(embed).predict(ctx, input));
  const MaxoutParts parts{&places.affine.in(embed), &places.norm.in(embed)};
  const auto pool = saved_vectors(ctx, embed, parts);
  if (pool != nullptr && ids.data.dim(0) > 0) {
    const SavedVectors::Lease kept(*pool);
    return with_saved_vectors(ctx, *kept, places.tables.in(embed), parts, std::move(ids));
  }
  const UniqueRows types = unique_rows(ctx, ids.data);
  Forward tables = looked_up(ctx, embed, places, types.rows);
  Forward mix = runs_blocks(ctx) ? mixed(ctx, parts, tables.output)
                                 : places.normalized.in(embed)(ctx, tables.output);
  const Tensor& vectors = as_tensor(mix.output);
  Tensor tokens = ctx.result<GatherRows>({ids.data.dim(0), vectors.dim(1)}, vectors);
  ctx.run<GatherRows>(vectors, types.index, tokens.view());
  Forward dropped = places.dropout.in(embed)(ctx, tokens);
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

void run_by_type(Model& embed, const EmbedParts& parts) {
  embed.set_forward(
      [places = Places(embed, parts)](Context& ctx, const Model& model, const Value& input) {
        return forward(ctx, model, places, input);
      });
}

}  // namespace weft
