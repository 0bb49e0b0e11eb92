#include "registry/value/section_path.h"

namespace weft {
namespace {

void collect_sections(const Object& object, const std::string& path,
                      std::vector<std::string>& names) {
  for (const auto& [key, node] : object) {
    if (!node.is_object()) continue;
    const std::string name = join_path(path, key);
    if (node.declared) names.push_back(name);
    collect_sections(node.as_object(), name, names);
  }
}

void collect_paths(const Object& object, const std::string& path, std::vector<std::string>& paths) {
  for (const auto& [key, node] : object) {
    const std::string name = join_path(path, key);
    paths.push_back(name);
    if (node.is_object()) collect_paths(node.as_object(), name, paths);
  }
}

}  // namespace

SplitPath split_last(std::string_view path) {
  const auto dot = path.rfind('.');
  if (dot == std::string_view::npos) return {{}, path, false};
  return {path.substr(0, dot), path.substr(dot + 1), true};
}

Node& make_section(Object& root, std::string_view name) {
  Object* object = &root;
  Node* node = nullptr;
  for (const SectionStep& step : SectionSteps(name)) {
    node = object->find(step.part);
    if (node == nullptr) node = &object->set(step.part, Node(Object()));
    object = &node->as_object();
  }
  return *node;
}

Node* find_section(Object& root, std::string_view name, bool any_object) {
  Object* object = &root;
  Node* node = nullptr;
  for (const SectionStep& step : SectionSteps(name)) {
    node = object->find(step.part);
    if (node == nullptr || !node->is_object()) return nullptr;
    if (!node->declared && step.part != "*" && !any_object) return nullptr;
    object = &node->as_object();
  }
  return node;
}

std::vector<std::string> declared_sections(const Object& root) {
  std::vector<std::string> names;
  collect_sections(root, {}, names);
  return names;
}

std::vector<std::string> all_paths(const Object& root) {
  std::vector<std::string> paths;
  collect_paths(root, {}, paths);
  return paths;
}

void inherit_origin(Node& node) {
  const auto place = [&](Node& child) {
    child.origin = node.origin;
    child.key_origin = node.origin;
    inherit_origin(child);
  };
  if (node.is_list()) {
    for (Node& child : node.as_list()) place(child);
  } else if (node.is_object()) {
    for (auto& [key, child] : node.as_object()) place(child);
  }
}

std::string join_path(std::string_view path, std::string_view key) {
  std::string joined(path);
  if (!joined.empty()) joined += '.';
  return joined += key;
}

}  // namespace weft
