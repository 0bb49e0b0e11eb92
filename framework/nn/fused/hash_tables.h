// A faster way through hash embeddings whose vectors stand side by side, where there is a kernel
// for all of them at once; for the sources of this folder alone.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/nn/model.h"
#include "framework/ops/context.h"
#include "framework/ops/hash_tables.h"

namespace weft {

// Whether the tables of these layers may be one op in this pass: nobody watches the layers, and no
// policy casts what they give.
inline bool runs_tables(const Context& ctx, std::span<const Model* const> layers) {
  if (!ctx.has<HashTablesForward>() || ctx.formats() != nullptr) return false;
  if (ctx.watch().observer() != nullptr) return false;
  const std::int64_t width = layers.front()->param("E").value.dim(1);
  return layers.size() <= kMostHashTables &&
         std::all_of(layers.begin(), layers.end(), [&](const Model* layer) {
           const Tensor& rows = layer->param("E").value;
           return rows.dim(1) == width && rows.dtype() == DType::f32;
         });
}

// A pass through them.
class HashTablesPass {
 public:
  explicit HashTablesPass(std::vector<const Model*> layers) : layers_(std::move(layers)) {}

  // (n, columns) to (n, tables * width).
  Tensor forward(Context& ctx, const Tensor& ids) {
    ids_ = ids;
    for (const Model* layer : layers_) tables_.push_back(table_of(ctx, *layer));
    const auto count = static_cast<std::int64_t>(tables_.size());
    const std::int64_t width = tables_.front().rows.cols();
    factors_ = ctx.empty({count, width});
    Tensor y = ctx.empty({ids.dim(0), count * width});
    ctx.run<HashTablesForward>(std::span<const HashTable>(tables_), ids, y.view(), factors_.view());
    return y;
  }
  void backward(Context& ctx, const Tensor& dy) const {
    std::vector<HashTableGradient> gradients;
    for (const Model* layer : layers_) {
      const auto own = ctx.gradients().accumulator_of(layer->param("E"));
      gradients.push_back({own.array.view(), own.is_uninitialised});
    }
    ctx.run<HashTablesBackward>(std::span<const HashTable>(tables_), ids_, factors_, dy,
                                std::span<const HashTableGradient>(gradients));
  }

 private:
  // A layer that was given no rate does not drop (HashEmbed.v1).
  HashTable table_of(Context& ctx, const Model& layer) {
    HashTable table{.rows = ctx.resident(layer.param("E").value.cview()),
                    .seed = static_cast<std::uint32_t>(layer.attr("seed")->as_integer()),
                    .column = layer.attr("column")->as_integer()};
    const double rate = ctx.training() ? ctx.pass().dropout() : 0.0;
    if (rate == 0.0 || layer.attr("dropout_rate") == nullptr) return table;
    if (const auto draws = ctx.pass().masks().draws(layer.site())) {
      table.draws = DropoutDraws{*draws, 0, rate};
    } else {
      masks_.push_back(ctx.dropout_mask(layer.site(), {1, layer.dim("nO")}, rate));
      table.mask = masks_.back().cview();
    }
    return table;
  }

  std::vector<const Model*> layers_;
  std::vector<HashTable> tables_;
  std::vector<Tensor> masks_;
  Tensor ids_, factors_;
};

}  // namespace weft
