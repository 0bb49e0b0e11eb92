#include "framework/ops/rank_one_gemm.h"

#include <cstdint>

#include "framework/ops/gemm.h"
#include "framework/precision/element_type.h"

namespace weft {
namespace {

void add_on_host(const Tensor& column, const Tensor& row, Tensor& matrix) {
  Tensor wide = cast_to(DType::f32, matrix);
  float* to = wide.data<float>();
  const float *d = column.data<float>(), *values = row.data<float>();
  for (std::int64_t i = 0; i < column.size(); ++i) {
    for (std::int64_t j = 0; j < row.size(); ++j) *to++ += d[i] * values[j];
  }
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
