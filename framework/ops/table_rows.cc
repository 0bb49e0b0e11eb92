#include "framework/ops/table_rows.h"

#include "framework/ops/context.h"
#include "framework/ops/gather.h"

namespace weft {
namespace {

Tensor gathered_on_host(Context& ctx, const Tensor& table, ConstView rows) {
  Tensor chosen = ctx.host_array({rows.rows(), table.dim(1)}, table.dtype());
  Stream host;
  kernel_of<GatherRows>(DeviceKind::cpu)(host, table, rows, chosen.view());
  return ctx.placed(chosen);
}

}  // namespace

Tensor table_rows(Context& ctx, const Tensor& table, std::span<const std::int32_t> rows) {
  const auto count = static_cast<std::int64_t>(rows.size());
  if (table.device() != ctx.device()) {
    return gathered_on_host(ctx, table, ConstView(rows.data(), DType::i32, {count, 1}));
  }
  Tensor chosen = ctx.result<GatherRows>({count, table.dim(1)}, table);
  const ConstView index(ctx.placed_array(rows), DType::i32, {count, 1});
  ctx.run<GatherRows>(table, index, chosen.view());
  return chosen;
}

}  // namespace weft
