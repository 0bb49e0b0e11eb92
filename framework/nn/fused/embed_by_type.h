// A faster way through an embedding whose vectors depend on the ids of a token alone: tables and
// mixing layer run once for each different token of the documents, about half of all, and in a
// prediction of many groups once for all of them where that gives the same bytes. Rows are computed
// as they are without it; gradients are sums in another order.
#pragma once

#include <vector>

#include "framework/nn/fused/maxout_parts.h"
#include "registry/base/export.h"

namespace weft {

// The layers that it runs; `hashes` are the hash embeddings of `tables`, from left to right.
struct EmbedParts {
  ModelPtr features, tables;
  std::vector<ModelPtr> hashes;
  MaxoutLayers mix;
};

// Replaces the forward function of chain(features, list2ragged, tables, with_array(mix),
// ragged2list). Initialising still runs the layers one by one.
WEFT_API void run_by_type(Model& embed, const EmbedParts& parts);

}  // namespace weft
