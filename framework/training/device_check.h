// Whether a device has a kernel for every op that training needs: found out before a run touches
// anything, not in its first step.
#pragma once

#include "framework/training/batches.h"
#include "framework/training/training_setup.h"
#include "registry/base/export.h"

namespace weft {

// Runs up to ten examples of the training corpus forward and back where the pipeline runs; nothing
// is changed by it. Throws Error(device), which names the layer, the op and the device, where there
// is no kernel. Does nothing on the CPU.
WEFT_API void check_device_ops(const TrainingSetup& setup);

}  // namespace weft
