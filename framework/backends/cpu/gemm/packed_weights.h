// The right factor of a product in the form that its kernel wants.
#pragma once

#include "framework/backends/cpu/gemm/factor.h"
#include "framework/backends/cpu/gemm/packing.h"
#include "framework/ops/work_sharing.h"

namespace weft::cpu {

// Shared with the passes beside this one where they share anything, else packed for this thread,
// which keeps them until it packs others. Threads that are idle help. Throws Error(memory).
const void* packed_weights(const Factor& weights, const Packing& packing,
                           const WorkSharing& sharing);

}  // namespace weft::cpu
