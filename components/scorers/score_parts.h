// Scorers that are made of others.
#pragma once

#include <functional>
#include <vector>

#include "framework/pipeline/scores.h"
#include "registry/base/export.h"

namespace weft {

// All scores of the parts, each of which starts a session. Where two give one name, the later
// counts.
WEFT_API Scorer scorer_of(std::vector<std::function<ScoreSessionPtr()>> parts);

}  // namespace weft
