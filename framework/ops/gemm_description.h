// The names of the GEMM kernels that this machine's CPU uses, for people to read.
#pragma once

#include <string>

#include "registry/base/export.h"

namespace weft {

// "tiles of 3 x bf16 (AMX), OpenBLAS 0.3.21 (SkylakeX)". Throws Error(device) where no GEMM can
// be computed since there is no OpenBLAS.
WEFT_API std::string gemm_description();

}  // namespace weft
