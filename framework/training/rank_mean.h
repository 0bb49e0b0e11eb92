// Means of arrays over the ranks of a run.
#pragma once

#include <span>

#include "framework/comm/communicator.h"
#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

// Every array becomes its mean over all ranks, which have arrays of the same sizes in the same
// order; afterwards they hold the same bits. f32, f16 or bf16, on the host; added in f32, a few
// million numbers at a time.
WEFT_API void average_over_ranks(Communicator& comm, std::span<const View> arrays);

}  // namespace weft
