// A pipeline under a precision policy.
#pragma once

#include <memory>

#include "framework/nn/run_formats.h"
#include "framework/pipeline/language.h"
#include "registry/base/export.h"

namespace weft {

// The formats of all components' models; null where the policy casts nothing. The pipeline outlives
// them and has its parameters.
WEFT_API std::shared_ptr<RunFormats> make_formats(const PrecisionPolicy& policy,
                                                  const Language& nlp);

}  // namespace weft
