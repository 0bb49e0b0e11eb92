#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {
namespace {

constexpr std::int64_t kLists = 7, kMostInList = 9, kRows = 11, kBeside = 3;

// Lists of rows of a table, chosen out of order, some twice.
struct Choice {
  explicit Choice(std::int64_t columns) : columns(columns) {
    for (std::int64_t i = 0; i < kRows * columns; ++i) {
      table.push_back(static_cast<float>(i * 37 % 101 - 50));
    }
    for (std::int64_t i = 0; i < kLists; ++i) {
      for (std::int64_t k = 0; k < kMostInList; ++k) {
        const std::int64_t row = (i * 5 + k * 7) % kRows;
        factors.push_back(static_cast<float>(i + 2 * k - 6));
        rows.push_back(row);
        terms.push_back(row_term(factors.back(), static_cast<std::int32_t>(row * columns)));
      }
    }
    sums.assign(static_cast<std::size_t>(kLists * (columns + kBeside)), 0.5F);
  }

  RowSums of(bool is_uninitialised, std::int64_t count = kMostInList) {
    return {.terms = terms.data(),
            .list_stride = kMostInList,
            .count = count,
            .lists = kLists,
            .table = table.data(),
            .sums = sums.data(),
            .sums_stride = columns + kBeside,
            .columns = columns,
            .is_uninitialised = is_uninitialised};
  }

  // All numbers are small and whole, so sums are exact.
  void expect_sums(bool is_uninitialised, std::int64_t count = kMostInList) const {
    for (std::int64_t i = 0; i < kLists; ++i) {
      for (std::int64_t j = 0; j < columns + kBeside; ++j) {
        const float before = is_uninitialised && j < columns ? 0.0F : 0.5F;
        const float expected = before + (j < columns ? sum(i, count, j) : 0.0F);
        ASSERT_EQ(sums[static_cast<std::size_t>(i * (columns + kBeside) + j)], expected)
            << columns << " columns, list " << i << ", column " << j;
      }
    }
  }

  std::int64_t columns;
  std::vector<float> factors, table, sums;
  std::vector<std::int64_t> rows;
  std::vector<RowTerm> terms;

 private:
  float sum(std::int64_t list, std::int64_t count, std::int64_t column) const {
    float result = 0.0F;
    for (std::int64_t k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(list * kMostInList + k);
      result += factors[at] * table[static_cast<std::size_t>(rows[at] * columns + column)];
    }
    return result;
  }
};

class ChosenRows : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (vector_units().size() <= GetParam()) GTEST_SKIP() << "this machine has no such unit";
    unit_ = &vector_units()[GetParam()];
  }
  const VectorUnit* unit_ = nullptr;
};

TEST_P(ChosenRows, SumsOfEveryWidth) {
  for (std::int64_t columns = 16; columns <= kMostSumColumns; columns += 16) {
    for (const bool is_uninitialised : {false, true}) {
      Choice choice(columns);
      unit_->sum_rows(choice.of(is_uninitialised));
      choice.expect_sums(is_uninitialised);
    }
  }
}

TEST_P(ChosenRows, ListsOfEveryLength) {
  for (std::int64_t count = 0; count <= kMostInList; ++count) {
    Choice choice(48);
    unit_->sum_rows(choice.of(false, count));
    choice.expect_sums(false, count);
  }
}

TEST_P(ChosenRows, OfNothingAreZeros) {
  Choice choice(96);
  unit_->sum_rows(choice.of(true, 0));
  choice.expect_sums(true, 0);
}

INSTANTIATE_TEST_SUITE_P(Units, ChosenRows, testing::Values(0, 1));

}  // namespace
}  // namespace weft::cpu
