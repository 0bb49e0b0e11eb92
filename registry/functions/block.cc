#include "registry/functions/block.h"

#include <algorithm>

namespace weft {

std::vector<const Object::Entry*> promises_of(const Object& object) {
  std::vector<const Object::Entry*> promises;
  for (const Object::Entry& entry : object) {
    if (entry.key.starts_with('@')) promises.push_back(&entry);
  }
  return promises;
}

bool is_block(const Node& node) {
  if (!node.is_object()) return false;
  const Object& object = node.as_object();
  return std::any_of(object.begin(), object.end(),
                     [](const Object::Entry& entry) { return entry.key.starts_with('@'); });
}

std::vector<PositionalValue> positional_values(const Object& object, std::string_view path) {
  std::vector<PositionalValue> values;
  const Node* given = object.find(kPositional);
  if (given == nullptr) return values;
  const std::string below = join_path(path, kPositional);
  if (given->is_object()) {
    for (const auto& [key, node] : given->as_object()) {
      values.push_back({join_path(below, key), &node, false});
    }
  } else if (given->is_list()) {
    for (const Node& item : given->as_list()) {
      values.push_back({join_path(below, std::to_string(values.size())), &item, true});
    }
  }
  return values;
}

}  // namespace weft
