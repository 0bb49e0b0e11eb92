#include "framework/ops/rank_one_gemm.h"

#include <cstdint>

#include "framework/ops/gemm.h"
#include "framework/precision/element_type.h"

namespace weft {
namespace {

// Sizes and places that no store can change: else they would be read again for each number.
void add_scaled_rows(const float* __restrict column, std::int64_t rows, const float* __restrict row,
                     std::int64_t width, float* __restrict to) {
  for (std::int64_t i = 0; i < rows; ++i, to += width) {
    const float factor = column[i];
    for (std::int64_t j = 0; j < width; ++j) to[j] += factor * row[j];
  }
}

void add_on_host(const Tensor& column, const Tensor& row, Tensor& matrix) {
  Tensor wide = cast_to(DType::f32, matrix);
  add_scaled_rows(column.data<float>(), column.size(), row.data<float>(), row.size(),
                  wide.data<float>());
  if (matrix.dtype() != DType::f32) cast_rows(wide, matrix.view());
}

}  // namespace

void add_rank_one(Context& ctx, const Tensor& column, const Tensor& row, Tensor& matrix) {
  if (ctx.on_cpu()) return add_on_host(column, row, matrix);
  const std::int64_t rows = column.size(), width = row.size();
  ctx.run_plain<Gemm>(column.reshaped({rows, 1}).cview(), Transpose::no,
                      row.reshaped({1, width}).cview(), Transpose::no,
                      matrix.reshaped({rows, width}).view(), 1.0F);
}

}  // namespace weft
