// Doubts about token patterns that do not keep a pipeline from being used. Source: spaCy 3.8, W035.
#pragma once

#include "framework/pipeline/language.h"
#include "registry/base/export.h"
#include "registry/base/problem.h"

namespace weft {

// A warning for each condition of a pattern that means nothing, of all components; the first 20 of
// each. A misspelt one lets every token pass.
WEFT_API Problems pattern_warnings(const Language& nlp);

}  // namespace weft
