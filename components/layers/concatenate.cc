// concatenate.v1: what several layers make of one input, side by side. Source: Thinc 8.3.
#include "components/layers/composition.h"
#include "components/layers/layers.h"
#include "framework/ops/elementwise.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

const Tensor& rows_of(const Value& value) {
  const auto* ragged = std::get_if<Ragged>(&value);
  return ragged != nullptr ? ragged->data : as_tensor(value);
}

// The same kind of value as `like` with other rows.
Value with_rows(const Value& like, Tensor rows) {
  if (const auto* ragged = std::get_if<Ragged>(&like)) {
    return Ragged{std::move(rows), ragged->lengths};
  }
  return rows;
}

// All parts have the same number of rows; each is copied into its own columns of the result.
Value join(Context& ctx, const std::vector<Forward>& parts) {
  std::int64_t width = 0;
  std::vector<ConstView> views;
  for (const Forward& part : parts) {
    views.push_back(rows_of(part.output));
    width += views.back().cols();
  }
  Tensor joined = ctx.result_of<CopyRows>({views.front().rows(), width}, views);
  std::int64_t column = 0;
  for (const Forward& part : parts) {
    const Tensor& rows = rows_of(part.output);
    ctx.run<CopyRows>(rows, joined.view().columns(column, rows.dim(1)));
    column += rows.dim(1);
  }
  return with_rows(parts.front().output, std::move(joined));
}

// The gradient of each part goes back through it; the gradients of the input are added up.
Value backward(Context& ctx, const std::vector<Backward>& ways,
               const std::vector<std::int64_t>& widths, const Value& d_output) {
  const Tensor& joined = rows_of(d_output);
  Value d_input;
  std::int64_t column = 0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    Tensor part = ctx.empty({joined.dim(0), widths[i]}, joined.dtype());
    ctx.run<CopyRows>(joined.cview().columns(column, widths[i]), part.view());
    add_value(ctx, d_input, ways[i](ctx, with_rows(d_output, std::move(part))));
    column += widths[i];
  }
  return d_input;
}

Forward forward(Context& ctx, const Model& model, const Value& input) {
  std::vector<Forward> parts;
  for (const ModelPtr& layer : model.layers()) parts.push_back((*layer)(ctx, input));
  Value joined = join(ctx, parts);
  if (!ctx.training()) return {std::move(joined), {}};
  std::vector<Backward> ways;
  std::vector<std::int64_t> widths;
  for (Forward& part : parts) {
    ways.push_back(std::move(part.backward));
    widths.push_back(rows_of(part.output).dim(1));
  }
  return {std::move(joined),
          [ways = std::move(ways), widths = std::move(widths)](Context& ctx, const Value& dy) {
            return backward(ctx, ways, widths, dy);
          }};
}

// The parts, their outputs side by side, and the gradient of those.
LayerCost cost(const Model& model, double width) {
  LayerCost sum;
  for (const ModelPtr& layer : model.layers()) {
    const LayerCost part = layer->cost(width);
    sum.add(part);
    sum.width += part.width;
  }
  sum.per_row += 2 * sum.width;
  sum.width = size_or(model, "nO", sum.width);
  return sum;
}

void set_width(Model& model) {
  std::int64_t width = 0;
  for (const ModelPtr& layer : model.layers()) {
    if (!layer->has_dim("nO")) return;
    width += layer->dim("nO");
  }
  model.set_dim("nO", width);
}

void initialize(Context& ctx, Model& model, const Value& input, const Value&, InitRandom& random) {
  for (const ModelPtr& layer : model.layers()) layer->initialize(ctx, input, {}, random);
  set_width(model);
}

struct Concatenate {
  std::vector<ModelPtr> layers;
};

template <class V>
void fields(V& v, Concatenate& c) {
  v.variadic("layers", c.layers, "the layers, from left to right");
}

ModelPtr make(const Concatenate& c) {
  return concatenate(c.layers);
}

}  // namespace

ModelPtr concatenate(const std::vector<ModelPtr>& layers) {
  require_layers("concatenate", layers, 1);
  auto model = std::make_shared<Model>(joined_names(layers, "|"), forward, initialize);
  model->set_path_name("concatenate");
  model->layers() = layers;
  model->declare_dim("nO");
  model->set_cost(cost);
  set_width(*model);
  return model;
}

static const Registration registered{"layers", "concatenate.v1", make,
                                     "what several layers make of one input, side by side"};

}  // namespace weft::layers
