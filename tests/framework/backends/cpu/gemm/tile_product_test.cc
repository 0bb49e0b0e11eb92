#include "framework/backends/cpu/gemm/tile_product.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/blas.h"
#include "framework/ops/product_description.h"
#include "tests/framework/backends/cpu/gemm/product_arrays.h"

namespace weft::cpu {
namespace {

class TileProduct : public testing::TestWithParam<Form> {
 protected:
  void SetUp() override {
    if (!has_tiles()) GTEST_SKIP() << "this machine has no tile unit, or it is switched off";
  }
};

TEST_P(TileProduct, EqualsSumsInDouble) {
  Arrays arrays(GetParam());
  tile_multiply(arrays.product());
  arrays.expect_product();
  arrays.expect_nothing_beside();
}

INSTANTIATE_TEST_SUITE_P(Forms, TileProduct, testing::ValuesIn(kForms));

class TileProductRules : public TileProduct {};

TEST_F(TileProductRules, SumsAreNoWorseThanThoseOfF32) {
  Arrays tiles({false, true, 100, 96, 300, 0.0F}), blas({false, true, 100, 96, 300, 0.0F});
  tile_multiply(tiles.product());
  const Product p = blas.product();
  sgemm(p.transpose_a, p.transpose_b, p.m, p.n, p.k, p.a, p.lda, p.b, p.ldb, 0.0F, p.c, p.ldc);
  double error = 0.0, error_of_blas = 0.0;
  for (std::int64_t i = 0; i < p.m; ++i) {
    for (std::int64_t j = 0; j < p.n; ++j) {
      double sum = 0.0;
      for (std::int64_t l = 0; l < p.k; ++l) sum += tiles.left(i, l) * tiles.right(l, j);
      error += std::pow(tiles.c.data<float>()[i * p.ldc + j] - sum, 2);
      error_of_blas += std::pow(p.c[i * p.ldc + j] - sum, 2);
    }
  }
  EXPECT_GT(error, 0.0);
  EXPECT_LT(error, error_of_blas);
}

// Three bf16 hold all bits of an f32, so a product with ones is exact.
TEST_F(TileProductRules, ProductsWithOneKeepEveryBit) {
  Arrays arrays({false, false, 40, 48, 1, 0.0F});
  for (std::int64_t j = 0; j < 48; ++j) arrays.b.data<float>()[j] = 1.0F;
  const float numbers[] = {1.0F + 0x1p-23F, -0x1.fffffep100F, 0x1.234567p-90F, 3.0F, 0.0F, -0.0F};
  for (std::int64_t i = 0; i < 40; ++i) arrays.a.data<float>()[i] = numbers[i % 6];
  tile_multiply(arrays.product());
  for (std::int64_t i = 0; i < 40; ++i) {
    EXPECT_EQ(arrays.c.data<float>()[i * 51 + 7], numbers[i % 6]) << i;
  }
}

TEST_F(TileProductRules, ARowDoesNotDependOnTheRowsBesideIt) {
  expect_rows_alone(tile_multiply);
}

TEST_F(TileProductRules, WhatIsNotFiniteDoesNotVanish) {
  for (const float bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    Arrays arrays({false, true, 40, 50, 60, 0.0F});
    arrays.a.data<float>()[7 * 60 + 13] = bad;
    tile_multiply(arrays.product());
    for (std::int64_t j = 0; j < 50; ++j) {
      EXPECT_FALSE(std::isfinite(arrays.c.data<float>()[7 * 53 + j])) << j;
      EXPECT_TRUE(std::isfinite(arrays.c.data<float>()[8 * 53 + j])) << j;
    }
  }
}

TEST(ProductTest, WhatItIsComputedWithIsNamed) {
  EXPECT_NE(product_description().find("OpenBLAS"), std::string::npos);
  EXPECT_EQ(product_description().find("AMX") != std::string::npos, has_tiles());
}

}  // namespace
}  // namespace weft::cpu
