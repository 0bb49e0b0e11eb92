#include "framework/backends/cpu/tile_product.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/blas.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft::cpu {
namespace {

struct Form {
  bool transpose_a, transpose_b;
  std::int64_t m, n, k;
  float beta;
  bool bias = false;
};

void PrintTo(const Form& form, std::ostream* out) {
  *out << (form.transpose_a ? "a^T " : "a ") << (form.transpose_b ? "b^T " : "b ") << form.m << "x"
       << form.n << "x" << form.k << " beta " << form.beta << (form.bias ? " bias" : "");
}

// The arrays of a product. Rows of c lie 3 further apart than they have to.
struct Arrays {
  explicit Arrays(const Form& form)
      : form(form),
        a(random_tensor({form.m, form.k}, 1)),
        b(random_tensor({form.k, form.n}, 2)),
        c(random_tensor({form.m, form.n + 3}, 3)),
        bias(random_tensor({form.n}, 4)),
        before(c.clone()) {}

  Product product() {
    return {form.transpose_a,
            form.transpose_b,
            form.m,
            form.n,
            form.k,
            a.data<float>(),
            form.transpose_a ? form.m : form.k,
            b.data<float>(),
            form.transpose_b ? form.k : form.n,
            form.beta,
            c.data<float>(),
            form.n + 3,
            form.bias ? bias.data<float>() : nullptr};
  }
  double left(std::int64_t i, std::int64_t l) const {
    return a.data<float>()[form.transpose_a ? l * form.m + i : i * form.k + l];
  }
  double right(std::int64_t l, std::int64_t j) const {
    return b.data<float>()[form.transpose_b ? j * form.k + l : l * form.n + j];
  }
  // In double; the sum of the absolute products is what errors are measured by.
  void expect_product() const {
    for (std::int64_t i = 0; i < form.m; ++i) {
      for (std::int64_t j = 0; j < form.n; ++j) {
        const std::int64_t at = i * (form.n + 3) + j;
        double sum =
            form.bias ? bias.data<float>()[j] : double{form.beta} * before.data<float>()[at];
        double size = std::abs(sum);
        for (std::int64_t l = 0; l < form.k; ++l) {
          sum += left(i, l) * right(l, j);
          size += std::abs(left(i, l) * right(l, j));
        }
        ASSERT_NEAR(c.data<float>()[at], sum, 3e-7 * size) << i << " " << j;
      }
    }
  }
  void expect_nothing_beside() const {
    for (std::int64_t i = 0; i < form.m; ++i) {
      for (std::int64_t j = form.n; j < form.n + 3; ++j) {
        const std::int64_t at = i * (form.n + 3) + j;
        ASSERT_EQ(c.data<float>()[at], before.data<float>()[at]) << i << " " << j;
      }
    }
  }

  Form form;
  Tensor a, b, c, bias, before;
};

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

// Edges of tiles and blocks, more depth than is summed up at once, more columns than are packed at
// once.
INSTANTIATE_TEST_SUITE_P(
    Forms, TileProduct,
    testing::Values(Form{false, true, 64, 96, 64, 0.0F}, Form{false, true, 450, 288, 288, 0.0F},
                    Form{true, false, 288, 288, 120, 1.0F}, Form{false, false, 33, 49, 95, 0.0F},
                    Form{true, true, 17, 50, 31, 1.0F}, Form{false, true, 1, 288, 96, 0.0F},
                    Form{true, false, 50, 65, 1100, 1.0F}, Form{false, false, 40, 1500, 520, 0.5F},
                    Form{false, true, 37, 70, 33, 0.0F, true},
                    Form{false, true, 64, 64, 600, 0.0F, true}, Form{false, false, 3, 2, 1, -2.0F},
                    Form{true, true, 16, 16, 32, 0.0F}, Form{false, false, 5, 7, 0, 1.0F},
                    Form{false, false, 5, 7, 0, 0.0F}));

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
  Arrays all({false, true, 75, 96, 288, 0.0F});
  tile_multiply(all.product());
  for (const std::int64_t rows : {1, 16, 31, 33, 74}) {
    Arrays some({false, true, 75, 96, 288, 0.0F});
    Product product = some.product();
    product.m = rows;
    product.a += (75 - rows) * product.lda;
    tile_multiply(product);
    for (std::int64_t i = 0; i < rows * 99; ++i) {
      if (i % 99 >= 96) continue;
      ASSERT_EQ(product.c[i], all.c.data<float>()[(75 - rows) * 99 + i]) << rows << " " << i;
    }
  }
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
