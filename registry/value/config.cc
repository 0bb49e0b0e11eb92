#include "registry/value/config.h"

namespace weft {

const Node* Config::find(std::string_view path) const {
  const Object* object = &root_;
  for (;;) {
    const auto dot = path.find('.');
    const Node* node = object->find(path.substr(0, dot));
    if (node == nullptr || dot == std::string_view::npos) return node;
    if (!node->is_object()) return nullptr;
    object = &node->as_object();
    path.remove_prefix(dot + 1);
  }
}

Node* Config::find(std::string_view path) {
  return const_cast<Node*>(static_cast<const Config*>(this)->find(path));
}

}  // namespace weft
