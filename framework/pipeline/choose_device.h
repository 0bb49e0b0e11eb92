// Which device a pipeline runs on.
#pragma once

#include "framework/pipeline/language.h"
#include "framework/tensor/device.h"
#include "registry/base/export.h"

namespace weft {

// From now on the pipeline runs on that GPU, within [system] gpu_memory of its config. A negative
// number: on the CPU, and no library is opened. Throws Error(device) with one line where it cannot,
// Error(config) for a budget that is no amount of memory.
WEFT_API void run_on_gpu(Language& nlp, int gpu);

// The device that it runs on.
WEFT_API Device device_of(const Language& nlp);

}  // namespace weft
