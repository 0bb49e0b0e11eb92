// uniqued.v1: computes a layer once for each different row of ids, told apart by one column.
// Source: Thinc 8.3.
#include "components/layers/composition.h"
#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "framework/nn/unique_rows.h"
#include "framework/ops/gather.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Tensor gathered(Context& ctx, const Tensor& rows, const Tensor& index) {
  Tensor all = ctx.empty({index.size(), rows.dim(1)}, rows.dtype());
  ctx.run<GatherRows>(rows, index.reshaped({index.size(), 1}), all.view());
  return all;
}

Forward forward(Context& ctx, const Model& model, const Value& input) {
  const Tensor ids = as_tensor(input);
  const UniqueRows unique = unique_rows(ctx, ctx.on_host(ids));
  Forward inner = (*model.layers().front())(ctx, unique.rows);
  const Tensor rows = as_tensor(inner.output);
  Tensor y = gathered(ctx, rows, unique.index);
  if (!ctx.training()) return {y, {}};
  return {y,
          [shape = rows.shape(), index = unique.index, back = std::move(inner.backward)](
              Context& ctx, const Value& dy) -> Value {
            Tensor d_rows = ctx.empty(shape);
            ctx.run<ScatterAddRows>(as_tensor(dy), index.reshaped({index.size(), 1}), d_rows.view(),
                                    0.0F);
            back(ctx, d_rows);
            return {};
          }};
}

void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  ctx.require<GatherRows>();
  ctx.require<ScatterAddRows>();
  model.layers().front()->initialize(ctx, input, output, random);
  for (const char* dim : {"nO", "nI"}) take_dim_of(model, dim, *model.layers().front());
}

LayerCost cost(const Model& model, double width) {
  LayerCost inner = model.layers().front()->cost(width);
  inner.per_row += width + 2 * inner.width;
  return inner;
}

struct Uniqued {
  ModelPtr layer;
  int column = 0;
};

template <class V>
void fields(V& v, Uniqued& c) {
  v.required("layer", c.layer, "a layer on rows of ids");
  v("column", c.column, "a column in which equal rows have equal ids", keyword_only,
    closed_range(0, kWidest));
}

ModelPtr make(const Uniqued& c) {
  return uniqued(c.layer, c.column);
}

}  // namespace

ModelPtr uniqued(const ModelPtr& layer, int column) {
  auto model = std::make_shared<Model>("uniqued(" + layer->name() + ")", forward, initialize);
  model->set_path_name("uniqued");
  model->layers() = {layer};
  for (const char* dim : {"nO", "nI"}) {
    model->declare_dim(dim);
    take_dim_of(*model, dim, *layer);
  }
  model->set_fixed_attr("column", column);
  model->set_cost(cost);
  return model;
}

static const Registration registered{"layers", "uniqued.v1", make,
                                     "computes a layer once for each different row of ids"};

}  // namespace weft::layers
