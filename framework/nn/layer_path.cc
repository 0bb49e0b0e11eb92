#include "framework/nn/layer_path.h"

namespace weft {

std::unordered_map<const Model*, std::string> layer_paths(const Model& root,
                                                          std::string_view component) {
  std::unordered_map<const Model*, std::string> paths;
  paths[&root] = "components." + std::string(component) + ".model";
  for (const Model* node : root.walk()) {
    std::unordered_map<std::string, int> seen;
    for (const ModelPtr& layer : node->layers()) {
      std::string label = layer->path_name();
      const int number = ++seen[label];
      if (number > 1) label += "_" + std::to_string(number);
      paths.try_emplace(layer.get(), paths[node] + "." + label);
    }
  }
  return paths;
}

}  // namespace weft
