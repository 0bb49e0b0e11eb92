// Recorded updates of a saved pipeline.
#pragma once

#include <filesystem>

#include "framework/pipeline/language.h"
#include "registry/functions/catalogue.h"
#include "tests/conformance/conformance_components/checks.h"

namespace weft::conformance {

// `parameters.json`: shapes and norms of all parameters, and the classes of the components.
void check_parameters(const Language& nlp, const std::filesystem::path& file, Checks& checks);

// A pair NAME.json, NAME.safetensors: losses, gradients, and weights after a step of the optimizer.
// `nlp` is trained by it. `examples`: the lines that it numbers.
void check_update(Language& nlp, const std::filesystem::path& file,
                  const std::filesystem::path& examples, const Catalogue& catalogue,
                  Checks& checks);

}  // namespace weft::conformance
