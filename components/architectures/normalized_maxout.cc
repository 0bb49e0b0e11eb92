#include "components/architectures/normalized_maxout.h"

#include "components/layers/layers.h"

namespace weft {

MaxoutLayers normalized_maxout(std::int64_t outputs, std::int64_t inputs, std::int64_t pieces) {
  const ModelPtr affine = layers::maxout({.outputs = outputs, .inputs = inputs, .pieces = pieces});
  const ModelPtr norm = layers::layer_norm(outputs);
  const ModelPtr normalized = layers::chain({affine, norm}), dropout = layers::dropout(0.0);
  return {layers::chain({normalized, dropout}), normalized, affine, norm, dropout};
}

}  // namespace weft
