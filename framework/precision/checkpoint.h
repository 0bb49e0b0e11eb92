// The part of a training checkpoint that belongs to the precision policy.
// Source: docs/precision.md, "Checkpoints".
#pragma once

#include <optional>
#include <string>

#include "framework/precision/loss_scaler.h"
#include "framework/precision/policy.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The object "precision" of a checkpoint. `scaler` may be null: O0 and bf16 have none.
WEFT_API Object save_precision(const PrecisionPolicy& policy, const LossScaler* scaler);

struct ResumedPrecision {
  std::optional<LossScaler> scaler;  // where the run has one
  bool from_masters = true;          // false: the checkpoint holds 16-bit weights alone (O3)
  Notices notices;                   // P030 if the level changed
};

// Continues from `saved`. Scale, tracker, counters and fallen-back layers come from there, factors
// and bounds from the policy, so that an override given on resuming works; so does a fixed scale. A
// checkpoint without a scale, or with a fixed one, starts a new scaler where the scale changes.
// Throws Error(data) if `saved` is not such an object.
WEFT_API ResumedPrecision resume_precision(const Object& saved, const PrecisionPolicy& policy);

}  // namespace weft
