// The right factor of a GEMM, packed for its kernel.
#pragma once

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/factor.h"
#include "framework/backends/cpu/gemm/packing.h"
#include "framework/ops/work_sharing.h"

namespace weft::cpu {

// `own` holds none where the weights are shared.
struct PackedFactor {
  const void* data = nullptr;
  ScratchMemory own = {};
};

// Shared with the passes beside this one where they share anything. Threads that are idle help.
// Throws Error(memory).
PackedFactor packed_weights(const Factor& weights, const Packing& packing,
                            const WorkSharing& sharing);

}  // namespace weft::cpu
