#include "framework/nn/missing_parameter.h"

namespace weft {

const Parameter* missing_parameter(const Model& root) {
  for (const Model* node : root.walk()) {
    for (const auto& parameter : node->params()) {
      if (parameter->value.shape().rank() == 0) return parameter.get();
    }
  }
  return nullptr;
}

}  // namespace weft
