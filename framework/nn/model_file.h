// The `model` file of a component: the parameters, dimensions and attributes of a tree of layers,
// node by node. Source: docs/spacy-formats.md, section 6 (Thinc's Model.to_bytes).
#pragma once

#include <string>
#include <string_view>

#include "framework/nn/model.h"
#include "registry/export.h"

namespace weft {

WEFT_API std::string model_to_bytes(const Model& root);

// Reads parameters, dimensions and attributes into a tree of the same form; sizes that the file
// leaves open follow from the shapes of its arrays. Throws Error(data) naming `source` and the node
// where the file is damaged, has another number of nodes, or disagrees with a size that is set.
WEFT_API void model_from_bytes(Model& root, std::string_view bytes, const std::string& source);

}  // namespace weft
