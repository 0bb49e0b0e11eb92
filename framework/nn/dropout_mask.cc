#include "framework/nn/dropout_mask.h"

namespace weft {
namespace {

bool drops_anything(const Context& ctx, const Model& dropout) {
  const Node* enabled = dropout.attr("is_enabled");
  return ctx.training() && ctx.pass().dropout() != 0.0 &&
         (enabled == nullptr || !enabled->is_bool() || enabled->as_bool());
}

}  // namespace

std::optional<DropoutDraws> dropout_draws(Context& ctx, const Model& dropout, std::int64_t width) {
  if (ctx.uses_host_memory() || !drops_anything(ctx, dropout)) return {};
  const auto draws = ctx.pass().masks().draws(dropout.site());
  if (!draws) return {};
  return DropoutDraws{*draws, static_cast<std::uint64_t>(ctx.pass().rows_before() * width),
                      ctx.pass().dropout()};
}

Tensor dropout_mask(Context& ctx, const Model& dropout, Shape shape) {
  if (!drops_anything(ctx, dropout)) return {};
  return ctx.dropout_mask(dropout.site(), shape, ctx.pass().dropout(),
                          ctx.pass().rows_before() * shape[1]);
}

}  // namespace weft
