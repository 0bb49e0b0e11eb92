// The paths of layers, by which the precision policy names them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// The path of each node of the tree by its first parent. Children that share a label are numbered:
// "residual", "residual_2", ...
WEFT_API std::unordered_map<const Model*, std::string> layer_paths(const Model& root,
                                                                   std::string_view component);

}  // namespace weft
