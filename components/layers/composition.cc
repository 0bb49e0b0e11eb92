#include "components/layers/composition.h"

#include <algorithm>

#include "registry/error.h"

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
