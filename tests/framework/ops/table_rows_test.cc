#include "framework/ops/table_rows.h"

#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/context.h"

namespace weft {
namespace {

TEST(TableRows, AreThoseAskedForAndZerosForNone) {
  Context ctx;
  Tensor table = ctx.empty({3, 2});
  for (int i = 0; i < 6; ++i) table.data<float>()[i] = static_cast<float>(i + 1);
  const std::vector<std::int32_t> rows{2, -1, 0, 2};
  const Tensor chosen = table_rows(ctx, table, rows);
  ASSERT_EQ(chosen.shape(), (Shape{4, 2}));
  const std::vector<float> expected{5, 6, 0, 0, 1, 2, 5, 6};
  const float* numbers = chosen.data<float>();
  EXPECT_EQ(std::vector<float>(numbers, numbers + chosen.size()), expected);
}

}  // namespace
}  // namespace weft
