// [initialize.components.NAME] against the settings that the component's `initialize` takes
// (Component::init_settings).
#pragma once

#include "framework/pipeline/language.h"
#include "framework/pipeline/pipeline_settings.h"
#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"

namespace weft {

// Sections of components that there are not, settings that a component does not take or lacks, and
// values that do not fit. Nothing is built or read: the results of functions are checked by
// `component_settings`.
WEFT_API Problems init_settings_problems(const Language& nlp, const Catalogue& catalogue);

// The section of one component of the pipeline as InitContext has it. Throws Error(config) where
// the result of a function does not fit.
WEFT_API Object component_settings(const Language& nlp, const NamedComponent& component,
                                   const InitializeSettings& settings);

}  // namespace weft
