// Elementwise ops on views with strides.
#include "framework/ops/elementwise.h"

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/ops/reduce.h"
#include "tests/framework/ops/expect_near.h"

namespace weft {
namespace {

TEST(ElementwiseOps, WorkOnViewsWithStrides) {
  Context ctx;
  Tensor wide = Tensor::from<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor two = Tensor::from<float>({2, 2}, {10, 20, 30, 40});
  ctx.run<AddInPlace>(wide.view().columns(1, 2), two);
  expect_near(wide, {1, 12, 23, 4, 5, 36, 47, 8}, 0);
  ctx.run<MultiplyInPlace>(wide.view(), Tensor::from<float>({1, 4}, {1, 2, 0, 1}));
  expect_near(wide, {1, 24, 0, 4, 5, 72, 0, 8}, 0);
  Tensor product = Tensor::zeros({2, 4});
  ctx.run<Multiply>(wide, wide, product.view());
  expect_near(product, {1, 576, 0, 16, 25, 5184, 0, 64}, 0);
  Tensor sums = Tensor::from<float>({4}, {1, 1, 1, 1});
  ctx.run<AddColumnSums>(wide, sums.view(), 1.0F);
  expect_near(sums, {7, 97, 1, 13}, 0);
  ctx.run<AddColumnSums>(wide, sums.view(), 0.0F);
  expect_near(sums, {6, 96, 0, 12}, 0);
  Tensor copied = Tensor::zeros({2, 2});
  ctx.run<CopyRows>(wide.cview().columns(0, 2), copied.view());
  expect_near(copied, {1, 24, 5, 72}, 0);
}

}  // namespace
}  // namespace weft
