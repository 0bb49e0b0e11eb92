#include "framework/nn/table_gradient.h"

#include "framework/nn/gradients.h"
#include "framework/ops/context.h"
#include "framework/ops/elementwise.h"

namespace weft {

TableGradient::TableGradient(Context& ctx, const Parameter& table, const Tensor& used)
    : rows(used) {
  Gradients& gradients = ctx.gradients();
  if (!gradients.keeps_rows()) {
    values = gradients.of(table).view();
    return;
  }
  rows = ctx.empty(used.shape(), DType::i32);
  ctx.run<CopyRows>(used, rows.view());
  values = gradients.rows_of(table).touch(
      {rows.data<std::int32_t>(), static_cast<std::size_t>(rows.size())});
}

}  // namespace weft
