// The layers as functions, for layers and architectures that are made of them. Each stands in a
// file of its own, together with its name for configs. Sources: Thinc 8.3, `thinc.layers`;
// spaCy 3.8, `spacy.ml`. Arrays are (rows, width); a ragged array stands wherever Thinc has a list
// of arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/nn/initializer.h"
#include "framework/nn/model.h"
#include "registry/export.h"

namespace weft::layers {

using Size = std::optional<std::int64_t>;  // nothing: inferred from a sample

// Y = X W^T + b on arrays. Params W (nO, nI), b (nO).
struct LinearSettings {
  Size outputs;
  Size inputs;
  std::optional<Initializer> init_w;  // glorot_uniform_init
  std::optional<Initializer> init_b;  // zero_init
};
WEFT_API ModelPtr linear(const LinearSettings& settings);

// One layer after the other.
WEFT_API ModelPtr chain(const std::vector<ModelPtr>& layers);
// A ragged array or list to one array.
WEFT_API ModelPtr list2array();
// Gives what it takes.
WEFT_API ModelPtr noop(const std::vector<ModelPtr>& layers = {});

}  // namespace weft::layers
