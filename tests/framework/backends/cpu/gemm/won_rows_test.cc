#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/vector_unit.h"
#include "tests/framework/backends/cpu/gemm/won_numbers.h"

namespace weft::cpu {
namespace {

std::vector<float> whole_numbers(std::int64_t count, std::int64_t step) {
  std::vector<float> numbers;
  for (std::int64_t i = 0; i < count; ++i) {
    numbers.push_back(static_cast<float>(i * step % 101 - 50));
  }
  return numbers;
}

class WonRowsTest : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (vector_units().size() <= GetParam()) GTEST_SKIP() << "this machine has no such unit";
  }
  // All numbers are small and whole, so sums are exact in any order.
  static void expect_sums(const WonShape& shape, bool is_uninitialised) {
    const std::vector<float> d = whole_numbers(shape.groups * shape.rows, 13);
    const std::vector<float> x = whole_numbers(shape.rows * kMostSumColumns, 37);
    WonNumbers numbers(shape);
    std::vector<const float*> rows;
    vector_units()[GetParam()].sum_won(numbers.of(d, x, rows, is_uninitialised));
    numbers.expect_sums(is_uninitialised, [&](std::int64_t output, std::int64_t j, float sum) {
      for (std::int64_t row = 0; row < shape.rows; ++row) {
        if (!numbers.has_won(output, row)) continue;
        sum += d[static_cast<std::size_t>(output / shape.pieces * shape.rows + row)] *
               x[static_cast<std::size_t>(row * kMostSumColumns + j)];
      }
      return sum;
    });
  }
};

TEST_P(WonRowsTest, SumsOfEveryWidth) {
  for (std::int64_t columns = 16; columns <= kMostSumColumns; columns += 16) {
    for (const bool is_uninitialised : {false, true}) {
      expect_sums({20, 6, 3, columns}, is_uninitialised);
    }
  }
}

TEST_P(WonRowsTest, AnyNumberOfRowsGroupsAndPieces) {
  for (const WonShape& shape :
       {WonShape{1, 1, 3, 16}, WonShape{63, 2, 3, 32}, WonShape{64, 3, 4, 48},
        WonShape{65, 7, 3, 96}, WonShape{128, 5, 5, 32}, WonShape{96, 96, 3, 96},
        WonShape{75, 4, 3, 64, 40}}) {
    for (const bool is_uninitialised : {false, true}) expect_sums(shape, is_uninitialised);
  }
}

// Rows that nobody won are not read: here those that are not there.
TEST_P(WonRowsTest, OfNothingAreZeros) {
  std::vector<float> sums(96, 1.0F);
  const std::vector<RowBits> won(6);
  vector_units()[GetParam()].sum_won({.won = won.data(),
                                      .groups = 2,
                                      .pieces = 3,
                                      .sums = sums.data(),
                                      .sums_stride = 16,
                                      .columns = 16,
                                      .is_uninitialised = true});
  EXPECT_EQ(sums, std::vector<float>(96, 0.0F));
}

INSTANTIATE_TEST_SUITE_P(Units, WonRowsTest, testing::Values(0, 1));

TEST(WonRows, UnitsGiveTheSameBytes) {
  if (vector_units().size() < 2) GTEST_SKIP() << "this machine has one unit";
  const WonShape shape{96, 17, 3, 96};
  std::vector<float> d, x;
  for (std::int64_t i = 0; i < shape.groups * shape.rows; ++i) {
    d.push_back(1.0F / static_cast<float>(3 + i * 7 % 89));
  }
  for (std::int64_t i = 0; i < shape.rows * kMostSumColumns; ++i) {
    x.push_back(1.0F / static_cast<float>(5 + i * 11 % 97));
  }
  WonNumbers one(shape), other(shape);
  std::vector<const float*> rows;
  vector_units()[0].sum_won(one.of(d, x, rows, false));
  vector_units()[1].sum_won(other.of(d, x, rows, false));
  EXPECT_EQ(one.sums, other.sums);
}

}  // namespace
}  // namespace weft::cpu
