// The config of an empty pipeline: what a file leaves out is taken from here.
#pragma once

#include <string_view>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Every section with its default values, variables kept; `nlp.lang` is null. The values are those
// of spaCy 3.8, so that one file means the same in both. Every node's origin says `default`.
WEFT_API const Config& default_config();

// The same with what is different for a language: Chinese text is cut into characters.
WEFT_API const Config& default_config(std::string_view lang);

// The defaults of [pretraining], for configs that have the section.
WEFT_API const Config& default_pretraining_config();

}  // namespace weft
