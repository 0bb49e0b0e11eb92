// The devices that a pipeline could run on here, for people to read.
#pragma once

#include <string>
#include <vector>

#include "registry/base/export.h"

namespace weft {

struct DeviceList {
  // "cpu: blocks of AVX-512, OpenBLAS 0.3.21 (SkylakeX)" with the GEMM kernels, and
  // each GPU with its number: "gpu 0: NVIDIA H100 80GB HBM3, capability 9.0, 85.0 GB".
  std::vector<std::string> devices;
  std::string why_no_gpu;  // one line; "" where there is one
};

// Asks the machine: opens the CUDA backend where this installation has it.
WEFT_API DeviceList list_devices();

}  // namespace weft
