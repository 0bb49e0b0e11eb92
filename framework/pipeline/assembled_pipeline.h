// Pipelines that are put together from a config and can predict without training.
#pragma once

#include "framework/pipeline/language.h"
#include "registry/base/export.h"

namespace weft {

// The pipeline of a filled config without training: sourced components, and what needs no weights,
// initialised as [initialize] says. Throws as build_to_initialize and Language::initialize do, and
// Error(config) for a component with parameters that came from no other pipeline.
WEFT_API std::shared_ptr<Language> assembled_pipeline(const Config& config,
                                                      const Catalogue& catalogue);

}  // namespace weft
