// The config of an empty pipeline: what a file leaves out is taken from here.
#pragma once

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Every section with its default values, variables kept; `nlp.lang` is null. The values are those
// of spaCy 3.8, so that one file means the same in both. Every node's origin says `default`.
WEFT_API const Config& default_config();

// What [pretraining] takes where a file asks for it.
WEFT_API const Config& default_pretraining_config();

}  // namespace weft
