#include "components/layers/reduce.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, Pool pool, const Value& input) {
  const Ragged x = as_ragged(ctx, input);
  const Shape shape{static_cast<std::int64_t>(x.lengths.size()), x.data.dim(1)};
  // A sum may be larger than 16 bits hold; the others are not.
  Tensor y =
      pool == Pool::sum ? ctx.result<PoolForward>(shape, x.data) : ctx.empty(shape, x.data.dtype());
  Tensor winners;
  if (pool == Pool::max) winners = ctx.empty(y.shape(), DType::i32);
  ctx.run<PoolForward>(pool, x.data, x.lengths, y.view(), winners.view());
  if (!ctx.training()) return {y, {}};
  return {
      y,
      [pool, winners, rows = x.data, lengths = x.lengths](Context& ctx, const Value& dy) -> Value {
        Tensor dx = ctx.gradient<PoolBackward>(rows);
        ctx.run<PoolBackward>(pool, as_tensor(dy), lengths, winners, dx.view());
        return Ragged{dx, lengths};
      }};
}

}  // namespace

ModelPtr reduce(std::string name, Pool pool) {
  const auto run = [pool](Context& ctx, const Model&, const Value& input) {
    return forward(ctx, pool, input);
  };
  const auto initialize = [](Context& ctx, Model&, const Value&, const Value&, InitRandom&) {
    ctx.require<PoolForward>();
    ctx.require<PoolBackward>();
  };
  return std::make_shared<Model>(std::move(name), run, initialize);
}

}  // namespace weft::layers
