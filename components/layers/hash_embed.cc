// HashEmbed.v1: the sum of four rows of a table. Svenstrup and others (2017); Thinc 8.3.
#include "framework/ops/hash_embed.h"

#include <atomic>

#include "components/layers/composition.h"
#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "framework/nn/shape_inference.h"
#include "framework/nn/table_gradient.h"
#include "framework/ops/elementwise.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

constexpr std::int64_t kKeys = 4;

// The mask of the table: one row, the same for all tokens of the batch; empty if nothing drops. A
// layer that was given no rate does not drop: training sets the rate of those that have one.
Tensor table_mask(Context& ctx, const Model& model) {
  if (!ctx.training() || ctx.pass().dropout() == 0.0) return {};
  if (model.attr("dropout_rate") == nullptr) return {};
  return ctx.dropout_mask(model.site(), {1, model.dim("nO")}, ctx.pass().dropout());
}

// The output is a sum of four rows, so each of them gets the whole gradient. On the CPU only the
// rows of the table that the batch used are kept and added to; the table may have far more.
Value backward(Context& ctx, const Model& model, const Tensor& rows, const Tensor& mask,
               const Tensor& dy) {
  Tensor d_vectors = dy;
  if (mask) {
    d_vectors = ctx.result<Multiply>(dy.shape(), dy);
    ctx.run<Multiply>(dy, mask, d_vectors.view());
  }
  const TableGradient table(ctx, model.param("E"), rows);
  ctx.run<ScatterAddSum>(d_vectors, table.rows, table.values);
  return {};
}

// One hash of the id and the layer's seed gives four numbers of 32 bits, each taken modulo the rows
// of the table. Two words that share one row seldom share all four: a table with fewer rows than
// there are words still tells them apart. Layers with different seeds collide in different places.
Forward forward(Context& ctx, const Model& model, const Value& input) {
  const Tensor ids = ctx.placed(as_tensor(input));
  const Parameter& parameter = model.param("E");
  const Tensor& table = parameter.value;
  const auto seed = static_cast<std::uint32_t>(model.attr("seed")->as_integer());
  Tensor rows = ctx.empty({ids.dim(0), kKeys}, DType::i32);
  ctx.run<HashRows>(ids, seed, table.dim(0), rows.view());
  if (parameter.deferred != nullptr) {
    parameter.deferred->change({rows.data<std::int32_t>(), static_cast<std::size_t>(rows.size())},
                               ctx.pass().sharing().tasks);
  }
  Tensor y = ctx.result<GatherSum>({ids.dim(0), table.dim(1)}, table);
  ctx.run<GatherSum>(table, rows, y.view());
  if (!ctx.training()) return {y, {}};
  const Tensor mask = table_mask(ctx, model);
  if (mask) ctx.run<MultiplyInPlace>(y.view(), mask);
  return {y, [&model, rows, mask](Context& ctx, const Value& dy) {
            return backward(ctx, model, rows, mask, as_tensor(dy));
          }};
}

// The numbers of the four rows and where their gradients go.
LayerCost cost(const Model& model, double) {
  constexpr double kNumbers = 2 * kKeys + 2;
  const double out = size_or(model, "nO", 0);
  return {.per_row = 2 * out + kNumbers, .width = out};
}

// One column of an array of ids, as an array (n, 1).
ModelPtr ints_getitem(std::int64_t column) {
  const auto forward = [column](Context& ctx, const Model&, const Value& input) -> Forward {
    const Tensor ids = ctx.placed(as_tensor(input));
    Tensor chosen = ctx.empty({ids.dim(0), 1}, ids.dtype());
    ctx.run<CopyRows>(ids.cview().columns(column, 1), chosen.view());
    if (!ctx.training()) return {chosen, {}};
    return {chosen, [](Context&, const Value&) { return Value(); }};
  };
  return std::make_shared<Model>("ints-getitem", forward);
}

// Seeds of layers that are given none. Depends on the order in which layers are made.
std::int64_t next_seed() {
  static std::atomic<std::int64_t> next{0};
  return ++next;
}

}  // namespace

template <class V>
void fields(V& v, HashEmbedSettings& c) {
  v.required("nO", c.outputs, "width of the output", closed_range(1, kWidest));
  v.required("nV", c.rows, "rows of the table", closed_range(1, kMostRows));
  v("seed", c.seed, "of the keys; null: another one for each layer", keyword_only);
  v("column", c.column, "column of ids to use; null: ids have one column", keyword_only,
    closed_range(0, kWidest));
  v("initializer", c.initializer, "fresh rows; null: uniform_init.v1", keyword_only);
  v("dropout", c.dropout, "null: never drops; else training sets the rate of the run", keyword_only,
    range(0.0, 1.0));
}

ModelPtr hash_embed(const HashEmbedSettings& c) {
  const auto initialize = [c](Context& ctx, Model& model, const Value&, const Value&,
                              InitRandom& random) {
    ctx.require<HashRows>();
    ctx.require<GatherSum>();
    ctx.require<ScatterAddSum>();
    init_param(model, "E", {c.rows, c.outputs}, c.initializer.value_or(uniform_init(-0.1, 0.1)),
               random);
  };
  auto model = std::make_shared<Model>("hashembed", forward, initialize);
  declare_dim(*model, "nO", c.outputs);
  declare_dim(*model, "nV", c.rows);
  model->declare_dim("nI");
  Parameter& table = model->declare_param("E", {"nV", "nO"});
  table.is_table = true;
  table.may_be_deferred = true;
  model->set_cost(cost);
  model->set_fixed_attr("column", c.column ? Node(*c.column) : Node());
  model->set_attr("seed", c.seed ? *c.seed : next_seed());
  if (c.dropout) model->set_attr("dropout_rate", *c.dropout);
  if (!c.column) return model;
  ModelPtr with_column = chain({ints_getitem(*c.column), model});
  with_column->set_fixed_attr("column", *c.column);
  return with_column;
}

static const Registration registered{"layers", "HashEmbed.v1", hash_embed,
                                     "the sum of four rows of a table, chosen by hashing"};

}  // namespace weft::layers
