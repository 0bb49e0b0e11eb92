#include "framework/nn/unique_rows.h"

#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(UniqueRows, ListsEachRowOnceInOrder) {
  Context ctx;
  const Tensor ids = Tensor::from<std::uint64_t>({5, 2}, {1, 2, 2, 1, 1, 2, 0, 0, 2, 1});
  const UniqueRows found = unique_rows(ctx, ids);
  ASSERT_EQ(found.rows.shape(), (Shape{3, 2}));
  const auto* rows = found.rows.data<std::uint64_t>();
  EXPECT_EQ(std::vector<std::uint64_t>(rows, rows + 6),
            (std::vector<std::uint64_t>{1, 2, 2, 1, 0, 0}));
  const auto* index = found.index.data<std::int32_t>();
  EXPECT_EQ(std::vector<std::int32_t>(index, index + 5),
            (std::vector<std::int32_t>{0, 1, 0, 2, 1}));
}

TEST(UniqueRows, FindsManyRowsAndNone) {
  Context ctx;
  Tensor ids = Tensor::zeros({5000, 1}, DType::u64);
  for (std::int64_t i = 0; i < 5000; ++i) {
    ids.data<std::uint64_t>()[i] = static_cast<std::uint64_t>(i % 1700) << 40;
  }
  const UniqueRows found = unique_rows(ctx, ids);
  ASSERT_EQ(found.rows.dim(0), 1700);
  for (std::int64_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(found.index.data<std::int32_t>()[i], i % 1700);
  }
  EXPECT_EQ(unique_rows(ctx, Tensor::zeros({0, 3}, DType::u64)).rows.dim(0), 0);
}

TEST(RowNumbers, GoOnAsRowsCome) {
  RowNumbers numbers(2);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const std::uint64_t row[] = {i % 7, i << 30};
      ASSERT_EQ(numbers.number_of(row), static_cast<std::int32_t>(i)) << pass;
    }
  }
  EXPECT_EQ(numbers.size(), 3000);
  const auto last = numbers.rows_from(2999);
  EXPECT_EQ(std::vector<std::uint64_t>(last.begin(), last.end()),
            (std::vector<std::uint64_t>{2999 % 7, std::uint64_t{2999} << 30}));
}

}  // namespace
}  // namespace weft
