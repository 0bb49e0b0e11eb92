// Rows of a table that may be too large for a device, and stays on the host then.
#pragma once

#include <cstdint>
#include <span>

#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

class Context;

// Row i is row `rows[i]` of `table` (n, width), or zeros where `rows[i]` < 0. It lies where `ctx`
// computes, wherever the table lies.
WEFT_API Tensor table_rows(Context& ctx, const Tensor& table, std::span<const std::int32_t> rows);

}  // namespace weft
