// Whether products may use what a processor offers for 16-bit numbers. Source: docs/precision.md,
// "The same policy on a CPU".
#pragma once

#include "registry/export.h"

namespace weft {

// Said by whoever runs an op on this thread, before its kernel: the inputs of a product are numbers
// of bf16, and it may round as 16-bit dot products of the processor do. Taken back afterwards.
WEFT_API void allow_fast_products(bool allowed);
WEFT_API bool fast_products_allowed();

}  // namespace weft
