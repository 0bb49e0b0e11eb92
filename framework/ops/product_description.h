// With which kernels this machine's CPU computes matrix products, for people to read.
#pragma once

#include <string>

#include "registry/base/export.h"

namespace weft {

// "tiles of 3 x bf16 (AMX), OpenBLAS 0.3.21 (SkylakeX)". Throws Error(device) where no product can
// be computed since there is no OpenBLAS.
WEFT_API std::string product_description();

}  // namespace weft
