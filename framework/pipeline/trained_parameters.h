// The parameters that a training run changes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/nn/parameter.h"
#include "registry/base/export.h"

namespace weft {

class Language;

// The parameters of all trained components, by names that stay the same in every run:
// "ner/3/linear/W" is component, number of the layer in the model file, its name, the parameter's.
// Without those of the components `frozen` and of the layers that `frozen_layers` names (Frozen).
WEFT_API std::vector<NamedParameter> trained_parameters(
    const Language& nlp, std::span<const std::string> frozen,
    std::span<const std::string> frozen_layers = {});

}  // namespace weft
