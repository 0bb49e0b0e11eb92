// The lower layer of a transition-based parser: for each feature an affine map of a token's vector
// to hidden x pieces numbers, computed once per token (docs/ner-model.md 1.4).
#pragma once

#include <cstdint>
#include <optional>

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

// The node `precomputable_affine`: params W (nF, nO, nP, nI), b (nO, nP), pad (1, nF, nO, nP).
// Run by the parser (parser_network.h), not by itself. Fresh weights are scaled so that the maximum
// over the pieces has mean 0 and variance 1 on random states, as in spaCy 3.8.
WEFT_API ModelPtr precomputable_affine(std::optional<std::int64_t> outputs, std::int64_t inputs,
                                       std::int64_t features, std::int64_t pieces);

}  // namespace weft
