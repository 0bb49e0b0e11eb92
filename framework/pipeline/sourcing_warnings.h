// Doubts about components of other pipelines and frozen ones, which do not keep a run from
// starting. Source: spaCy 3.8, W086, W087, W113; docs/training.md, "Components of other pipelines".
#pragma once

#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/value/config.h"

namespace weft {

// A warning for each component that was trained with other word vectors than those that the
// initialised pipeline has. `values`: the config as it was given, without variables.
WEFT_API Problems vector_warnings(const Language& nlp, const Config& values);

// A warning for each listener that is frozen while the network before it is trained, and for each
// that is trained on a frozen network which does not annotate: spaCy refuses that config.
WEFT_API Problems frozen_warnings(const Language& nlp, const Config& values,
                                  const std::vector<std::string>& frozen,
                                  const std::vector<std::string>& annotating);

}  // namespace weft
