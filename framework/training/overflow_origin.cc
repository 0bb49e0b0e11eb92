#include "framework/training/overflow_origin.h"

namespace weft {

void OriginFinder::went_forward(std::string_view layer, bool finite) {
  if (!finite && first_bad_output_.empty()) first_bad_output_ = layer;
}

void OriginFinder::went_back(std::string_view layer, bool incoming_finite, bool outgoing_finite) {
  backward_.push_back({std::string(layer), incoming_finite, outgoing_finite});
}

std::string OriginFinder::overflow() const {
  std::vector<LayerGradients> layers;
  for (auto back = backward_.rbegin(); back != backward_.rend(); ++back) {
    layers.push_back({back->layer, back->incoming_finite, back->outgoing_finite});
  }
  return std::string(overflow_origin(layers));
}

}  // namespace weft
