#include "framework/backends/cpu/gemm/dot_unit.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/amx_panel.h"
#include "framework/backends/cpu/gemm/tile_gemm.h"
#include "framework/ops/gemm_description.h"
#include "framework/precision/convert.h"
#include "framework/precision/element_type.h"
#include "tests/framework/backends/cpu/gemm/bf16_numbers.h"
#include "tests/framework/backends/cpu/gemm/gemm_arrays.h"

namespace weft::cpu {
namespace {

class DotPanels : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_dot_instruction()) GTEST_SKIP() << "this machine has no AVX512-BF16";
  }
};

constexpr std::int64_t kDepth = 75, kSteps = (kDepth + kTileDepth - 1) / kTileDepth;
constexpr std::int64_t kWords = kSteps * step_words(NumberFormat::bf16);

// 32 lines of bf16, packed as panels of a left and of a right factor are: a word for each pair of
// numbers i and 16 + i of a step.
struct Panel {
  explicit Panel(std::uint64_t seed) : numbers(random_bf16(kPanelLines * kDepth, seed)) {}

  float at(std::int64_t line, std::int64_t d) const {
    return d < kDepth ? f32_from_bf16(numbers[static_cast<std::size_t>(line * kDepth + d)]) : 0.0F;
  }
  const std::uint32_t* pack(bool is_left) {
    words.resize(kWords + 16);
    std::uint32_t* to = aligned();
    for (std::int64_t i = 0; i < kWords; ++i) {
      const std::int64_t step = i / (2 * kTileWords), tile = i / kTileWords % 2;
      const std::int64_t row = i / kTileLines % kTileLines, column = i % kTileLines;
      const std::int64_t line = tile * kTileLines + (is_left ? row : column);
      const std::int64_t d = step * kTileDepth + (is_left ? column : row);
      to[i] = bf16_from_f32(at(line, d)) | std::uint32_t{bf16_from_f32(at(line, d + kTileLines))}
                                               << 16;
    }
    return to;
  }

  std::vector<std::uint16_t> numbers;
  std::vector<std::uint32_t> words;

 private:
  std::uint32_t* aligned() {
    const auto beyond = reinterpret_cast<std::uintptr_t>(words.data()) / sizeof(std::uint32_t) % 16;
    return words.data() + (16 - beyond) % 16;
  }
};

float model(const Panel& a, std::int64_t row, const Panel& b, std::int64_t column, float sum) {
  for (std::int64_t step = 0; step < kSteps; ++step) {
    for (std::int64_t d = step * kTileDepth; d < step * kTileDepth + kTileLines; ++d) {
      sum = add_pair(sum, a.at(row, d), b.at(column, d), a.at(row, d + kTileLines),
                     b.at(column, d + kTileLines));
    }
  }
  return sum;
}

// Whole blocks and edges, from each start.
TEST_F(DotPanels, GiveTheBitsOfTheModel) {
  Panel a(1), b(2);
  const Tensor bias = random_tensor({kPanelLines}, 3);
  const std::uint32_t *left = a.pack(true), *right = b.pack(false);
  for (const Start start : {Start::zero, Start::bias, Start::sums}) {
    for (const std::int64_t rows : {1, 8, 13, 32}) {
      for (const std::int64_t columns : {1, 16, 21, 32}) {
        constexpr std::int64_t kStride = kPanelLines + 3;
        Tensor c = random_tensor({kPanelLines, kStride}, 4);
        const Tensor before = c.clone();
        multiply_panels_by_dots(left, right, kSteps,
                                {c.data<float>(), kStride, rows, columns, start,
                                 start == Start::bias ? bias.data<float>() : nullptr});
        for (std::int64_t i = 0; i < c.size(); ++i) {
          const std::int64_t row = i / kStride, column = i % kStride;
          float expected = before.data<float>()[i];
          if (row < rows && column < columns) {
            if (start == Start::zero) expected = 0.0F;
            if (start == Start::bias) expected = bias.data<float>()[column];
            expected = model(a, row, b, column, expected);
          }
          ASSERT_EQ(c.data<float>()[i], expected) << rows << "x" << columns << ": " << i;
        }
      }
    }
  }
}

// Documented: subnormal numbers count as zeros, and infinities and NaN do not vanish.
TEST_F(DotPanels, SubnormalNumbersAreZerosAndBadOnesStay) {
  Panel a(1), b(2);
  std::fill(b.numbers.begin(), b.numbers.end(), bf16_from_f32(0x1p100F));
  std::fill(a.numbers.begin(), a.numbers.end(), bf16_from_f32(0x1p-130F));
  a.numbers[3 * kDepth + 40] = bf16_from_f32(std::numeric_limits<float>::infinity());
  a.numbers[5 * kDepth + 7] = bf16_from_f32(std::numeric_limits<float>::quiet_NaN());
  Tensor c = random_tensor({kPanelLines, kPanelLines}, 4);
  multiply_panels_by_dots(
      a.pack(true), b.pack(false), kSteps,
      {c.data<float>(), kPanelLines, kPanelLines, kPanelLines, Start::zero, nullptr});
  EXPECT_EQ(c.data<float>()[0], 0.0F);
  EXPECT_TRUE(std::isinf(c.data<float>()[3 * kPanelLines]));
  EXPECT_TRUE(std::isnan(c.data<float>()[5 * kPanelLines]));
}

// GEMMs of bf16 as layers and ops call them. Of 2^-21 times the sum of absolute terms, which
// docs/precision.md allows, a half is for each of two roundings in a pair.
class DotGemm : public testing::TestWithParam<Form> {
 protected:
  void SetUp() override {
    if (!has_dots()) GTEST_SKIP() << "this machine has no AVX512-BF16 at full rate";
    if (has_tiles()) GTEST_SKIP() << "this machine has tiles, which go before dot products";
  }
};

void multiply_bf16(const GemmArgs& p) {
  Factor a{p.a, p.lda, !p.transpose_a, p.m, p.k}, b{p.b, p.ldb, p.transpose_b, p.n, p.k};
  a.format = b.format = NumberFormat::bf16;
  tile_multiply(a, b, sums_of(p));
}

void round_factors(Arrays& arrays) {
  for (Tensor* factor : {&arrays.a, &arrays.b}) {
    round_to(NumberFormat::bf16, {factor->data<float>(), static_cast<std::size_t>(factor->size())});
  }
}

TEST_P(DotGemm, EqualsSumsOfRoundedNumbers) {
  Arrays arrays(GetParam());
  multiply_bf16(arrays.args());
  round_factors(arrays);
  arrays.expect_gemm(0x1p-21);
  arrays.expect_nothing_beside();
}

TEST_P(DotGemm, NumbersOfSixteenBitsNeedNoRounding) {
  Arrays wide(GetParam()), low(GetParam());
  const Tensor a = cast_to(DType::bf16, low.a), b = cast_to(DType::bf16, low.b);
  multiply_bf16(wide.args());
  const GemmArgs p = low.args();
  Factor left{a.cview().data, p.lda, !p.transpose_a, p.m, p.k};
  Factor right{b.cview().data, p.ldb, p.transpose_b, p.n, p.k};
  left.type = right.type = DType::bf16;
  left.format = right.format = NumberFormat::bf16;
  tile_multiply(left, right, sums_of(p));
  for (std::int64_t i = 0; i < low.c.size(); ++i) {
    ASSERT_EQ(low.c.data<float>()[i], wide.c.data<float>()[i]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, DotGemm, testing::ValuesIn(kForms));

TEST_F(DotGemm, ARowDoesNotDependOnTheRowsBesideIt) {
  expect_rows_alone(multiply_bf16);
}

TEST_F(DotGemm, IsForNumbersOfBf16) {
  EXPECT_EQ(gemm_path(96, 96, NumberFormat::bf16), GemmPath::tiles);
  EXPECT_EQ(gemm_path(96, 96, NumberFormat::f16), GemmPath::vectors);
  EXPECT_EQ(gemm_path(96, 96), GemmPath::vectors);
  EXPECT_NE(gemm_description().find("AVX512-BF16"), std::string::npos);
}

}  // namespace
}  // namespace weft::cpu
