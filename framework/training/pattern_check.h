// The part of `debug data` that looks at the token patterns of a config.
#pragma once

#include "framework/pipeline/data_problem.h"
#include "framework/pipeline/language.h"
#include "registry/base/export.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// Tells of patterns in [initialize.components] that do not compile, and of those that can never
// match texts as the pipeline's tokenizer cuts them. Components behind one that merges or splits
// tokens are left out: they see others. `values`: the config with its variables replaced.
WEFT_API void check_patterns(const Language& nlp, const Config& values, const Catalogue& catalogue,
                             const DataSink& tell);

}  // namespace weft
