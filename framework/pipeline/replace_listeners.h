// Listeners of a sourced component become copies of the network that they listened to, so that the
// component stands alone. Source: spaCy 3.8, Language.replace_listeners; docs/training.md,
// "Components of other pipelines".
#pragma once

#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/sourced_component.h"
#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// A component without the vocabulary and name that a pipeline gives it. `values`: a config without
// variables. Null where `problems` say why it cannot be made.
WEFT_API ComponentPtr make_component(const Config& values, const std::string& name,
                                     const Catalogue& catalogue, Problems& problems);

// Does it for a component that was taken from `source` and has its weights; `block` is its config,
// in which the paths get the network's. Throws Error(config) for paths that are none of the
// component's listeners or not all of them, and where the source lacks the network; Error(data) for
// a network that cannot be read.
WEFT_API void replace_listeners(Language& nlp, const std::string& name,
                                const SourcedComponent& source, Node& block,
                                const Catalogue& catalogue);

}  // namespace weft
