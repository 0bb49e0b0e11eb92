#include "framework/backends/cpu/gemm/chosen_pairs.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/dot_unit.h"
#include "tests/framework/backends/cpu/gemm/bf16_numbers.h"

namespace weft::cpu {
namespace {

constexpr std::int64_t kLists = 9, kRows = 11, kBeside = 3;

// Lists of rows of a table, chosen out of order, some twice.
struct Choice {
  explicit Choice(std::int64_t columns)
      : columns(columns),
        table(random_bf16(kRows * columns, 1)),
        factors(random_bf16(kLists * kLists, 2)),
        sums(static_cast<std::size_t>(kLists * (columns + kBeside)), 0.5F) {
    for (std::int64_t i = 0; i < kLists * kLists; ++i) {
      rows.push_back(i * 7 % kRows);
      terms.push_back(row_term(factor(i), static_cast<std::int32_t>(rows.back() * columns)));
    }
  }

  PairSums of(bool is_uninitialised, std::int64_t count = kLists) {
    return {.terms = terms.data(),
            .list_stride = kLists,
            .count = count,
            .lists = kLists,
            .table = table.data(),
            .sums = sums.data(),
            .sums_stride = columns + kBeside,
            .columns = columns,
            .is_uninitialised = is_uninitialised};
  }

  // By the model: two terms at a time, a last one with a zero.
  float sum(std::int64_t list, std::int64_t count, std::int64_t column, float start) const {
    const std::int64_t first = list * kLists;
    for (std::int64_t k = first; k < first + count; k += 2) {
      const bool has_next = k + 1 < first + count;
      start = add_pair(start, factor(k), number(k, column), has_next ? factor(k + 1) : 0.0F,
                       has_next ? number(k + 1, column) : 0.0F);
    }
    return start;
  }

  void expect_sums(bool is_uninitialised, std::int64_t count = kLists) const {
    for (std::int64_t i = 0; i < kLists; ++i) {
      for (std::int64_t j = 0; j < columns + kBeside; ++j) {
        const float start = is_uninitialised && j < columns ? 0.0F : 0.5F;
        const float expected = j < columns ? sum(i, count, j, start) : start;
        ASSERT_EQ(sums[static_cast<std::size_t>(i * (columns + kBeside) + j)], expected)
            << columns << " columns, list " << i << ", column " << j;
      }
    }
  }

  std::int64_t columns;
  std::vector<std::uint16_t> table, factors;
  std::vector<float> sums;
  std::vector<std::int64_t> rows;
  std::vector<RowTerm> terms;

 private:
  float factor(std::int64_t term) const {
    return f32_from_bf16(factors[static_cast<std::size_t>(term)]);
  }
  float number(std::int64_t term, std::int64_t column) const {
    const std::int64_t row = rows[static_cast<std::size_t>(term)];
    return f32_from_bf16(table[static_cast<std::size_t>(row * columns + column)]);
  }
};

class ChosenPairs : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_dot_instruction()) GTEST_SKIP() << "this machine has no AVX512-BF16";
  }
};

TEST_F(ChosenPairs, SumsOfEveryWidthHaveTheBitsOfTheModel) {
  for (std::int64_t columns = kPairColumns; columns <= kMostSumColumns; columns += kPairColumns) {
    for (const bool is_uninitialised : {false, true}) {
      Choice choice(columns);
      sum_pairs(choice.of(is_uninitialised));
      choice.expect_sums(is_uninitialised);
    }
  }
}

TEST_F(ChosenPairs, ListsOfEveryLength) {
  for (std::int64_t count = 0; count <= kLists; ++count) {
    Choice choice(64);
    sum_pairs(choice.of(false, count));
    choice.expect_sums(false, count);
  }
}

}  // namespace
}  // namespace weft::cpu
