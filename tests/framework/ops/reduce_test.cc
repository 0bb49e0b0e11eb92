// Pools of sequences against sums by hand.
#include "framework/ops/reduce.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "tests/framework/ops/expect_near.h"

namespace weft {
namespace {

TEST(PoolOps, MakeOneRowOfEachSequence) {
  Context ctx;
  const Tensor x = Tensor::from<float>({3, 2}, {1, 8, 3, 4, 5, 6});
  const std::vector<std::int64_t> lengths{2, 0, 1};
  const auto run = [&](Pool pool) {
    Tensor y = Tensor::zeros({3, 2}), winners = Tensor::zeros({3, 2}, DType::i32);
    ctx.run<PoolForward>(pool, x, lengths, y.view(), winners.view());
    Tensor dx = Tensor::zeros({3, 2});
    const Tensor dy = Tensor::from<float>({3, 2}, {10, 20, 30, 40, 50, 60});
    ctx.run<PoolBackward>(pool, dy, lengths, winners, dx.view());
    return std::pair(y, dx);
  };
  expect_near(run(Pool::sum).first, {4, 12, 0, 0, 5, 6}, 0);
  expect_near(run(Pool::sum).second, {10, 20, 10, 20, 50, 60}, 0);
  expect_near(run(Pool::mean).first, {2, 6, 0, 0, 5, 6}, 0);
  expect_near(run(Pool::mean).second, {5, 10, 5, 10, 50, 60}, 0);
  expect_near(run(Pool::max).first, {3, 8, 0, 0, 5, 6}, 0);
  expect_near(run(Pool::max).second, {0, 20, 10, 0, 50, 60}, 0);
  expect_near(run(Pool::first).first, {1, 8, 0, 0, 5, 6}, 0);
  expect_near(run(Pool::first).second, {10, 20, 0, 0, 50, 60}, 0);
  expect_near(run(Pool::last).first, {3, 4, 0, 0, 5, 6}, 0);
  expect_near(run(Pool::last).second, {0, 0, 10, 20, 50, 60}, 0);
}

}  // namespace
}  // namespace weft
