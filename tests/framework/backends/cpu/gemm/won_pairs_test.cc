#include "framework/backends/cpu/gemm/won_pairs.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/chosen_pairs.h"
#include "framework/backends/cpu/gemm/dot_unit.h"
#include "tests/framework/backends/cpu/gemm/bf16_numbers.h"
#include "tests/framework/backends/cpu/gemm/won_numbers.h"

namespace weft::cpu {
namespace {

// The sums by the model of the instruction: the rows of a word two at a time, a last one with a
// zero.
class Model {
 public:
  Model(const WonNumbers& numbers, const std::vector<float>& d, const std::vector<std::uint16_t>& x)
      : numbers_(numbers), d_(d), x_(x) {}

  float sum(std::int64_t output, std::int64_t column, float start) const {
    const std::int64_t second = numbers_.shape.second_word, end = numbers_.shape.rows;
    for (const auto& [first, behind] :
         {std::pair(std::int64_t{0}, std::min(second, end)), std::pair(second, end)}) {
      const std::vector<std::int64_t> rows = rows_won(output, first, behind);
      for (std::size_t k = 0; k < rows.size(); k += 2) {
        const bool has_next = k + 1 < rows.size();
        start = add_pair(start, factor(output, rows[k]), number(rows[k], column),
                         has_next ? factor(output, rows[k + 1]) : 0.0F,
                         has_next ? number(rows[k + 1], column) : 0.0F);
      }
    }
    return start;
  }

 private:
  std::vector<std::int64_t> rows_won(std::int64_t output, std::int64_t first,
                                     std::int64_t end) const {
    std::vector<std::int64_t> rows;
    for (std::int64_t row = first; row < end; ++row) {
      if (numbers_.has_won(output, row)) rows.push_back(row);
    }
    return rows;
  }
  float factor(std::int64_t output, std::int64_t row) const {
    const std::int64_t group = output / numbers_.shape.pieces;
    return d_[static_cast<std::size_t>(group * numbers_.shape.rows + row)];
  }
  float number(std::int64_t row, std::int64_t column) const {
    return f32_from_bf16(x_[static_cast<std::size_t>(row * kMostSumColumns + column)]);
  }

  const WonNumbers& numbers_;
  const std::vector<float>& d_;
  const std::vector<std::uint16_t>& x_;
};

class WonPairsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_dot_instruction()) GTEST_SKIP() << "this machine has no AVX512-BF16";
  }
  static void expect_sums(const WonShape& shape, bool is_uninitialised) {
    std::vector<float> d;
    for (const std::uint16_t bits : random_bf16(shape.groups * shape.rows, 1)) {
      d.push_back(f32_from_bf16(bits));
    }
    const std::vector<std::uint16_t> x = random_bf16(shape.rows * kMostSumColumns, 2);
    WonNumbers numbers(shape);
    std::vector<const std::uint16_t*> rows;
    sum_won_pairs(numbers.of(d, x, rows, is_uninitialised));
    const Model model(numbers, d, x);
    numbers.expect_sums(is_uninitialised, [&](std::int64_t output, std::int64_t j, float before) {
      return model.sum(output, j, before);
    });
  }
};

TEST_F(WonPairsTest, SumsOfEveryWidthHaveTheBitsOfTheModel) {
  for (std::int64_t columns = kPairColumns; columns <= kMostSumColumns; columns += kPairColumns) {
    for (const bool is_uninitialised : {false, true}) {
      expect_sums({33, 6, 3, columns}, is_uninitialised);
    }
  }
}

TEST_F(WonPairsTest, AnyNumberOfRowsGroupsAndPieces) {
  for (const WonShape& shape :
       {WonShape{1, 1, 3, 32}, WonShape{63, 2, 3, 32}, WonShape{64, 3, 4, 64},
        WonShape{65, 7, 3, 96}, WonShape{128, 5, 5, 32}, WonShape{96, 24, 3, 96},
        WonShape{75, 4, 3, 64, 40}}) {
    for (const bool is_uninitialised : {false, true}) expect_sums(shape, is_uninitialised);
  }
}

}  // namespace
}  // namespace weft::cpu
