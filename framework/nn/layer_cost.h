// The memory that training takes for a layer. Each layer declares it in its own file
// (Model::set_cost); one with parts says how theirs add up.
#pragma once

#include <functional>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

class Model;

// Numbers of four bytes that a pass forward and back keeps until the step ends: outputs that the
// backward pass needs, masks, gradients. Rather too many than too few.
struct LayerCost {
  double per_row = 0.0;       // that goes through the layer
  double per_document = 0.0;  // rows of padding
  double per_pair = 0.0;  // of rows of one document, as a layer keeps that compares all with all
  double width = 0.0;     // of the output

  // Adds what another layer keeps.
  void add(const LayerCost& other);
};

// Gives the cost of a layer for inputs of that width.
using CostFn = std::function<LayerCost(const Model& layer, double width)>;

// The input, the output and its gradient.
WEFT_API LayerCost cost_of_rows(const Model& layer, double width);
// The parts, each behind the other.
WEFT_API LayerCost cost_in_sequence(const Model& layer, double width);
// The same with a sum of all rows behind them, and its gradient.
WEFT_API LayerCost cost_with_sum(const Model& layer, double width);

// The size of a dimension, `otherwise` where it is not set.
WEFT_API double size_or(const Model& layer, std::string_view dim, double otherwise);

}  // namespace weft
