#include "framework/backends/cpu/gemm/tile_gemm.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/blas.h"
#include "framework/ops/gemm_description.h"
#include "framework/precision/convert.h"
#include "framework/precision/element_type.h"
#include "tests/framework/backends/cpu/gemm/gemm_arrays.h"

namespace weft::cpu {
namespace {

class TileGemm : public testing::TestWithParam<Form> {
 protected:
  void SetUp() override {
    if (!has_tiles()) GTEST_SKIP() << "this machine has no tile unit, or it is switched off";
  }
};

// The factors of a GEMM, whose numbers are rounded to `format`.
struct Factors {
  explicit Factors(const GemmArgs& p, NumberFormat format = NumberFormat::f32)
      : a{p.a, p.lda, !p.transpose_a, p.m, p.k}, b{p.b, p.ldb, p.transpose_b, p.n, p.k} {
    a.format = b.format = format;
  }
  Factor a, b;
};

void multiply_by_tiles(const GemmArgs& p) {
  const Factors factors(p);
  tile_multiply(factors.a, factors.b, sums_of(p), p.tasks);
}

TEST_P(TileGemm, EqualsSumsInDouble) {
  Arrays arrays(GetParam());
  multiply_by_tiles(arrays.args());
  arrays.expect_gemm();
  arrays.expect_nothing_beside();
}

std::span<float> numbers(Tensor& tensor) {
  return {tensor.data<float>(), static_cast<std::size_t>(tensor.size())};
}

// As many planes as hold the numbers give the bits that three give.
TEST_P(TileGemm, FewerPlanesGiveTheSameBits) {
  for (const NumberFormat format : {NumberFormat::bf16, NumberFormat::f16, NumberFormat::tf32}) {
    Arrays fewer(GetParam()), rounded(GetParam());
    round_to(format, numbers(rounded.a));
    round_to(format, numbers(rounded.b));
    multiply_by_tiles(rounded.args());
    const Factors factors(fewer.args(), format);
    tile_multiply(factors.a, factors.b, sums_of(fewer.args()));
    rounded.expect_gemm();
    fewer.expect_nothing_beside();
    for (std::int64_t i = 0; i < fewer.c.size(); ++i) {
      ASSERT_EQ(fewer.c.data<float>()[i], rounded.c.data<float>()[i])
          << name_of(format) << " " << i;
    }
  }
}

// Numbers that memory holds in 16 bits are packed as they are.
TEST_P(TileGemm, NumbersOfSixteenBitsNeedNoWidening) {
  for (const NumberFormat format : {NumberFormat::bf16, NumberFormat::f16}) {
    Arrays wide(GetParam()), low(GetParam());
    const Tensor a = cast_to(dtype_of(format), low.a), b = cast_to(dtype_of(format), low.b);
    const Factors rounding(wide.args(), format);
    tile_multiply(rounding.a, rounding.b, sums_of(wide.args()));
    Factors factors(low.args(), format);
    factors.a.data = a.cview().data;
    factors.b.data = b.cview().data;
    factors.a.type = factors.b.type = dtype_of(format);
    tile_multiply(factors.a, factors.b, sums_of(low.args()));
    for (std::int64_t i = 0; i < low.c.size(); ++i) {
      ASSERT_EQ(low.c.data<float>()[i], wide.c.data<float>()[i]) << name_of(format) << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, TileGemm, testing::ValuesIn(kForms));

class TileGemmRules : public TileGemm {};

TEST_F(TileGemmRules, ThreadsShareThePanelsOfLargeOnesAndGiveTheSameBytes) {
  expect_threads_share(multiply_by_tiles);
}

TEST_F(TileGemmRules, SumsAreNoWorseThanThoseOfF32) {
  Arrays tiles({false, true, 100, 96, 300, 0.0F}), blas({false, true, 100, 96, 300, 0.0F});
  multiply_by_tiles(tiles.args());
  const GemmArgs p = blas.args();
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

// Three bf16 hold all bits of an f32, so a GEMM with ones is exact.
TEST_F(TileGemmRules, GemmsWithOneKeepEveryBit) {
  Arrays arrays({false, false, 40, 48, 1, 0.0F});
  for (std::int64_t j = 0; j < 48; ++j) arrays.b.data<float>()[j] = 1.0F;
  const float numbers[] = {1.0F + 0x1p-23F, -0x1.fffffep100F, 0x1.234567p-90F, 3.0F, 0.0F, -0.0F};
  for (std::int64_t i = 0; i < 40; ++i) arrays.a.data<float>()[i] = numbers[i % 6];
  multiply_by_tiles(arrays.args());
  for (std::int64_t i = 0; i < 40; ++i) {
    EXPECT_EQ(arrays.c.data<float>()[i * 51 + 7], numbers[i % 6]) << i;
  }
}

TEST_F(TileGemmRules, ARowDoesNotDependOnTheRowsBesideIt) {
  expect_rows_alone(multiply_by_tiles);
}

TEST_F(TileGemmRules, WhatIsNotFiniteDoesNotVanish) {
  for (const float bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    Arrays arrays({false, true, 40, 50, 60, 0.0F});
    arrays.a.data<float>()[7 * 60 + 13] = bad;
    multiply_by_tiles(arrays.args());
    for (std::int64_t j = 0; j < 50; ++j) {
      EXPECT_FALSE(std::isfinite(arrays.c.data<float>()[7 * 53 + j])) << j;
      EXPECT_TRUE(std::isfinite(arrays.c.data<float>()[8 * 53 + j])) << j;
    }
  }
}

TEST(ProductTest, WhatItIsComputedWithIsNamed) {
  EXPECT_NE(gemm_description().find("OpenBLAS"), std::string::npos);
  EXPECT_EQ(gemm_description().find("AMX") != std::string::npos, has_tiles());
}

}  // namespace
}  // namespace weft::cpu
