#include "framework/nn/layer_cost.h"

#include "framework/nn/model.h"

namespace weft {

void LayerCost::add(const LayerCost& other) {
  per_row += other.per_row;
  per_document += other.per_document;
  per_pair += other.per_pair;
}

LayerCost cost_of_rows(const Model& layer, double width) {
  const double in = size_or(layer, "nI", width);
  const double out = size_or(layer, "nO", in);
  return {.per_row = 2 * out + in, .width = out};
}

LayerCost cost_in_sequence(const Model& layer, double width) {
  LayerCost sum{.width = width};
  for (const ModelPtr& part : layer.layers()) {
    const LayerCost cost = part->cost(sum.width);
    sum.add(cost);
    sum.width = cost.width;
  }
  sum.width = size_or(layer, "nO", sum.width);
  return sum;
}

LayerCost cost_with_sum(const Model& layer, double width) {
  LayerCost cost = cost_in_sequence(layer, width);
  cost.per_row += 2 * cost.width;
  return cost;
}

double size_or(const Model& layer, std::string_view dim, double otherwise) {
  const auto size = layer.find_dim(dim);
  return size ? static_cast<double>(*size) : otherwise;
}

}  // namespace weft
