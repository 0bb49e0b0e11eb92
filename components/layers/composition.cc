#include "components/layers/composition.h"

#include <algorithm>

#include "components/layers/layers.h"
#include "framework/ops/elementwise.h"
#include "registry/base/error.h"

namespace weft::layers {

std::string joined_names(const std::vector<ModelPtr>& layers, std::string_view separator) {
  std::string name;
  for (const ModelPtr& layer : layers) {
    if (!name.empty()) name += separator;
    name += layer->name();
  }
  return name;
}

void require_layers(std::string_view name, const std::vector<ModelPtr>& layers, std::size_t least) {
  if (layers.size() >= least) return;
  throw Error(ErrorKind::config, std::string(name) + " needs at least " + std::to_string(least) +
                                     (least == 1 ? " layer" : " layers"));
}

void take_dim_of(Model& model, std::string_view dim, const Model& from) {
  const auto named = [&](const auto& known) { return known.first == dim; };
  if (std::none_of(from.dims().begin(), from.dims().end(), named)) return;
  model.declare_dim(dim);
  if (const auto size = from.find_dim(dim)) model.set_dim(dim, *size);
}

ModelPtr normalized_and_dropped(ModelPtr layer, std::optional<std::int64_t> outputs, bool normalize,
                                std::optional<double> dropout_rate) {
  if (normalize) layer = chain({layer, layer_norm(outputs)});
  if (dropout_rate) layer = chain({layer, dropout(*dropout_rate)});
  return layer;
}

void add_value(Context& ctx, Value& to, const Value& from) {
  if (from.index() == 0) return;
  if (to.index() == 0) {
    to = from;
    return;
  }
  const bool is_ragged = std::holds_alternative<Ragged>(to);
  const Tensor& a = is_ragged ? std::get<Ragged>(to).data : as_tensor(to);
  const Tensor b = is_ragged ? as_ragged(ctx, from).data : as_tensor(from);
  Tensor sum = ctx.result<AddInPlace>(a.shape(), a, b);
  ctx.run<CopyRows>(a, sum.view());
  ctx.run<AddInPlace>(sum.view(), b);
  if (is_ragged) {
    to = Ragged{std::move(sum), std::get<Ragged>(to).lengths};
  } else {
    to = std::move(sum);
  }
}

void initialize_in_sequence(Context& ctx, Model& model, const Value& input, const Value& output,
                            InitRandom& random) {
  Value sample = input;
  for (const ModelPtr& layer : model.layers()) {
    const bool last = layer == model.layers().back();
    layer->initialize(ctx, sample, last ? output : Value(), random);
    if (!last && sample.index() != 0) sample = layer->predict(ctx, sample);
  }
}

}  // namespace weft::layers
