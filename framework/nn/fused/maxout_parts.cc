#include "framework/nn/fused/maxout_parts.h"

#include <algorithm>

#include "registry/base/error.h"

namespace weft {

std::size_t place_of(const ModelPtr& part, const Model& root) {
  const std::vector<const Model*> nodes = root.walk();
  const auto found = std::find(nodes.begin(), nodes.end(), part.get());
  if (found == nodes.end()) {
    throw Error(ErrorKind::internal, "layer " + part->name() + " is no part of " + root.name());
  }
  return static_cast<std::size_t>(found - nodes.begin());
}

}  // namespace weft
