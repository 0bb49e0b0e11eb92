// Gives a fresh pipeline its labels, shapes and parameters.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "framework/pipeline/language.h"
#include "framework/pipeline/pipeline_settings.h"

namespace weft {

struct InitializeOptions {
  std::function<ExampleStreamPtr()> examples;  // opens the training data from the start, each time
  std::uint64_t seed = 0;
  std::vector<std::string> frozen;  // components that are left as they are, like sourced ones
};

// Calls the callbacks of [initialize] around it. Throws Error(config) for a value that a
// function of [initialize] gives and that does not fit, and for a frozen component without weights,
// Error(data) if the training data or another file cannot be read, or is empty; InitFault
// (init_fault.h) for what a setting of [initialize] names.
WEFT_API void initialize_pipeline(Language& nlp, const InitializeSettings& settings,
                                  const InitializeOptions& options);

}  // namespace weft
