// The GEMM of a column and a row, added to a matrix: the gradient that one row of an input gives.
#pragma once

#include "framework/ops/context.h"
#include "registry/base/export.h"

namespace weft {

// matrix (of column.size() times row.size() numbers) += column * row. All lie where the context
// runs; column and row are f32. No policy is followed: a matrix in 16 bits is rounded once.
WEFT_API void add_rank_one(Context& ctx, const Tensor& column, const Tensor& row, Tensor& matrix);

}  // namespace weft
