#include "framework/nn/dropout_mask.h"

namespace weft {

Tensor dropout_mask(Context& ctx, const Model& dropout, Shape shape) {
  const Node* enabled = dropout.attr("is_enabled");
  const bool drops = ctx.training() && ctx.pass().dropout() != 0.0;
  if (!drops || (enabled != nullptr && !enabled->as_bool())) return {};
  return ctx.dropout_mask(dropout.site(), shape, ctx.pass().dropout(),
                          ctx.pass().rows_before() * shape[1]);
}

}  // namespace weft
