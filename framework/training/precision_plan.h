// The contents of `precision plan`: the formats of every op and parameter of a pipeline, as a pass
// over a few documents finds them. Nothing is trained. Source: docs/precision.md, "The plan".
#pragma once

#include <span>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/precision/notice.h"
#include "framework/precision/plan.h"
#include "registry/base/export.h"

namespace weft {

struct PipelinePlan {
  std::vector<PlanLine> ops;         // in the order in which they first run, forward and back
  std::vector<PlanLine> parameters;  // in the order of the pipeline and its layers
  Notices notices;
};

// Of an initialised pipeline, whose formats are put back. `examples` are annotated. Throws
// Error(config) where the policy cannot be followed.
WEFT_API PipelinePlan plan_pipeline(Language& nlp, const PrecisionPolicy& policy,
                                    std::span<Example* const> examples,
                                    const std::vector<std::string>& frozen);

}  // namespace weft
