// The part of a training checkpoint that belongs to the precision policy, and foreign scalers'
// state. Source: docs/precision.md, "Checkpoints".
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

// A scaler that goes on where PyTorch's or Apex's stopped. Knows PyTorch's keys (`scale`,
// `growth_factor`, `backoff_factor`, `growth_interval`, `_growth_tracker`), whose factors win over
// those of `settings`, and Apex's (`loss_scaler0` with `loss_scale` and `unskipped`). Throws
// Error(data) on anything else.
WEFT_API LossScaler resume_foreign_scaler(const Object& saved, LossScalerSettings settings);

}  // namespace weft
