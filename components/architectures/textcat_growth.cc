// Further labels for networks that classify documents: new rows of the layers that may grow. A
// label starts so that it is improbable, or undecided (docs/text-classification.md, section 3).
#include <algorithm>
#include <cstring>

#include "components/architectures/textcat_parts.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// The array with so many elements, the new ones `fill`.
Tensor longer(const Tensor& array, Shape shape, float fill) {
  const Tensor old = cast_to(DType::f32, array);
  Tensor grown = Tensor::zeros(shape);
  auto* numbers = grown.data<float>();
  std::copy_n(old.data<float>(), old.size(), numbers);
  std::fill(numbers + old.size(), numbers + grown.size(), fill);
  return grown;
}

bool contains(const Model& root, const Model& layer) {
  const std::vector<const Model*> nodes = root.walk();
  return std::find(nodes.begin(), nodes.end(), &layer) != nodes.end();
}

void grow(Model& root, Model& layer, std::int64_t classes) {
  const std::int64_t before = layer.dim("nO");
  for (Model* node : root.walk()) {
    if (node->find_dim("nO") == before && contains(*node, layer)) node->replace_dim("nO", classes);
  }
  Parameter &w = layer.param("W"), &b = layer.param("b");
  const Shape shape = w.value.shape().rank() == 1 ? Shape{classes * layer.dim("length")}
                                                  : Shape{classes, w.value.dim(1)};
  layer.set_param("W", longer(w.value, shape, 0.0F));
  layer.set_param("b", longer(b.value, {classes}, layer.new_bias()));
}

}  // namespace

bool grow_outputs(Model& root, std::int64_t classes) {
  bool grew = false;
  for (Model* node : root.walk()) {
    if (!node->may_grow()) continue;
    if (!node->has_dim("nO") || node->dim("nO") >= classes || !node->param("W").value) continue;
    grow(root, *node, classes);
    grew = true;
  }
  return grew;
}

}  // namespace weft
