// Where a layer stands in a tree of layers, so that a pass finds the same layer of a copy of the
// tree: copies share the functions of a node, and each is asked for its own parts.
#pragma once

#include <cstddef>
#include <vector>

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API PartPath {
 public:
  // Throws Error(internal) for a node of another tree.
  PartPath(const ModelPtr& part, const Model& root);

  // That layer of `root`, or of a copy. Each pass asks for several, so no tree is searched.
  const Model& in(const Model& root) const;

 private:
  std::vector<std::size_t> children_;  // from the root on, the number of each among its parent's
};

}  // namespace weft
