// A faster way through an embedding whose vectors depend on the ids of a token alone: tables and
// mixing layer run once for each different token of the documents, about half of all. Rows are
// computed as they are without it; gradients are sums in another order.
#pragma once

#include "framework/nn/model.h"

namespace weft {

// Replaces the forward function of a chain of feature extractor, list2ragged, with_array(tables),
// with_array(((maxout, layer norm), dropout)) and ragged2list. Initialising still runs the parts.
void run_by_type(Model& embed);

}  // namespace weft
