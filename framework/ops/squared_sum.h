// The sum of the squares of all numbers of some arrays, as reported losses have it.
#pragma once

#include <functional>
#include <span>

#include "framework/ops/context.h"
#include "registry/base/export.h"

namespace weft {

// In f64, array by array; of arrays of any floating type that lie where the context runs. `take` is
// handed the sum at once on the CPU, else as PassMemory::read_later does.
WEFT_API void squared_sum(Context& ctx, std::span<const Tensor> arrays,
                          std::function<void(double)> take);

}  // namespace weft
