// Whether a pipeline that was put together from a config can predict without training.
#pragma once

#include "framework/pipeline/language.h"
#include "registry/base/export.h"

namespace weft {

// Throws Error(config) for a component with parameters that came from no other pipeline.
WEFT_API void check_assembled(const Language& nlp);

// The pipeline of a filled config without training: sourced components, and what needs no weights,
// initialised as [initialize] says. Throws as build_to_initialize, check_assembled and
// Language::initialize do.
WEFT_API std::shared_ptr<Language> assembled_pipeline(const Config& config,
                                                      const Catalogue& catalogue);

}  // namespace weft
