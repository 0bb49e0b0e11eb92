// The same documents predicted twice: with and without a precision policy.
#pragma once

#include <span>

#include "framework/pipeline/language.h"
#include "framework/pipeline/scores.h"
#include "framework/precision/policy.h"
#include "registry/base/export.h"

namespace weft {

// The policy of a level by its name ("O1", "bf16" ...), with the level's defaults, for prediction.
// Throws Error(config) for an unknown name (P001).
WEFT_API PrecisionPolicy policy_of_level(const std::string& level);

// Predictions follow the policy from now on. Loss scaling is no matter of predictions. The weights
// stay as they are.
WEFT_API void predict_under(const PrecisionPolicy& policy, Language& nlp);

struct PredictionComparison {
  Scores f32, level;  // of both, as Language::evaluate gives them
  std::size_t documents = 0;
  std::size_t different = 0;  // documents whose predictions are not the same
};

// Evaluates in f32, then under the policy, which the pipeline follows afterwards. The examples are
// left with the predictions of the latter.
WEFT_API PredictionComparison compare_predictions(Language& nlp, const PrecisionPolicy& policy,
                                                  std::span<Example> examples, WorkerPool& pool);

}  // namespace weft
