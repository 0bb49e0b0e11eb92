// Notes about the language of a config.
#pragma once

#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// A note where the tokenizer of a filled config was not made for the language in [nlp] lang.
WEFT_API Problems language_notes(const Config& filled, const Catalogue& catalogue);

}  // namespace weft
