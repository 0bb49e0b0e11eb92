#include "framework/nn/model_summary.h"

#include <unordered_map>
#include <unordered_set>

namespace weft {
namespace {

class Summary {
 public:
  explicit Summary(const Model& root) {
    for (const Model* node : root.walk()) numbers_.emplace(node, static_cast<int>(numbers_.size()));
    visit(root, 0);
  }

  std::vector<LayerSummary> take() { return std::move(layers_); }

 private:
  void visit(const Model& node, int depth) {
    if (!seen_.insert(&node).second) return;
    LayerSummary layer{.number = numbers_.at(&node),
                       .depth = depth,
                       .name = node.name(),
                       .dims = node.dims(),
                       .params = {}};
    for (const auto& parameter : node.params()) {
      const Tensor& value = parameter->value;
      layer.params.push_back(
          {parameter->name, value.shape(), value.size(), static_cast<std::int64_t>(value.bytes())});
    }
    layers_.push_back(std::move(layer));
    for (const ModelPtr& child : node.layers()) visit(*child, depth + 1);
  }

  std::unordered_map<const Model*, int> numbers_;
  std::unordered_set<const Model*> seen_;
  std::vector<LayerSummary> layers_;
};

}  // namespace

std::int64_t LayerSummary::numbers() const {
  std::int64_t sum = 0;
  for (const ParameterSummary& parameter : params) sum += parameter.numbers;
  return sum;
}

std::int64_t LayerSummary::bytes() const {
  std::int64_t sum = 0;
  for (const ParameterSummary& parameter : params) sum += parameter.bytes;
  return sum;
}

std::vector<LayerSummary> summarize(const Model& root) {
  return Summary(root).take();
}

}  // namespace weft
