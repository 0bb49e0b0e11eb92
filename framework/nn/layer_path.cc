#include "framework/nn/layer_path.h"

namespace weft {

std::string path_label(const Model& node) {
  const std::string& name = node.name();
  if (node.layers().empty()) return name;
  // The first sign outside of brackets says what joins the parts.
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '(') ++depth;
    if (name[i] == ')') --depth;
    if (depth > 0) continue;
    if (name.compare(i, 2, ">>") == 0) return "chain";
    if (name[i] == '|') return "concatenate";
  }
  return name.substr(0, name.find('('));
}

std::unordered_map<const Model*, std::string> layer_paths(const Model& root,
                                                          std::string_view component) {
  std::unordered_map<const Model*, std::string> paths;
  paths[&root] = "components." + std::string(component) + ".model";
  for (const Model* node : root.walk()) {
    std::unordered_map<std::string, int> seen;
    for (const ModelPtr& layer : node->layers()) {
      std::string label = path_label(*layer);
      const int number = ++seen[label];
      if (number > 1) label += "_" + std::to_string(number);
      paths.try_emplace(layer.get(), paths[node] + "." + label);
    }
  }
  return paths;
}

}  // namespace weft
