#include "framework/nn/fused/part_path.h"

#include <unordered_set>

#include "registry/base/error.h"

namespace weft {
namespace {

// Depth first; a node that was looked through once is not looked through again, as several parents
// may share it.
bool find(const Model& node, const Model& part, std::unordered_set<const Model*>& seen,
          std::vector<std::size_t>& path) {
  if (&node == &part) return true;
  if (!seen.insert(&node).second) return false;
  for (std::size_t i = 0; i < node.layers().size(); ++i) {
    path.push_back(i);
    if (find(*node.layers()[i], part, seen, path)) return true;
    path.pop_back();
  }
  return false;
}

}  // namespace

PartPath::PartPath(const ModelPtr& part, const Model& root) {
  std::unordered_set<const Model*> seen;
  if (find(root, *part, seen, children_)) return;
  throw Error(ErrorKind::internal, "layer " + part->name() + " is no part of " + root.name());
}

const Model& PartPath::in(const Model& root) const {
  const Model* node = &root;
  for (const std::size_t child : children_) node = node->layers()[child].get();
  return *node;
}

}  // namespace weft
