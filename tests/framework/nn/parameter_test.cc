#include "framework/nn/parameter.h"

#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

Parameter array(std::int64_t rows) {
  return {"W", Tensor::zeros({rows, 2}), 0};
}

void add_row(Gradients& gradients, const Parameter& table, std::int32_t row, float value) {
  std::vector<std::int32_t> rows{row};
  const View to = gradients.rows_of(table).touch(rows);
  to.row<float>(rows[0])[0] += value;
}

TEST(Gradients, AddsOthersInTheirOrder) {
  const Parameter dense = array(1), table = array(9), untouched = array(1);
  Gradients sum, first, second;
  // In f32 the order shows: (1 + 1e8) - 1e8 is 0, 1 + (1e8 - 1e8) is 1.
  sum.of(dense).data<float>()[0] = 1.0F;
  first.of(dense).data<float>()[0] = 1e8F;
  second.of(dense).data<float>()[0] = -1e8F;
  add_row(first, table, 7, 2.0F);
  add_row(second, table, 3, 5.0F);
  add_row(second, table, 7, 3.0F);
  const Gradients* const others[] = {&first, &second};
  sum.add(others);
  EXPECT_EQ(sum.of(dense).data<float>()[0], 0.0F);
  const Tensor* whole = sum.find(table);
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->data<float>()[14], 5.0F);
  EXPECT_EQ(whole->data<float>()[6], 5.0F);
  EXPECT_EQ(whole->data<float>()[0], 0.0F);
  EXPECT_EQ(sum.find(untouched), nullptr);
}

TEST(Gradients, RowsOfAnEarlierStepAreGone) {
  const Parameter table = array(4);
  Gradients gradients;
  add_row(gradients, table, 1, 1.0F);
  static_cast<void>(gradients.find(table));
  gradients.clear();
  add_row(gradients, table, 2, 4.0F);
  const Tensor* whole = gradients.find(table);
  EXPECT_EQ(whole->data<float>()[2], 0.0F);
  EXPECT_EQ(whole->data<float>()[4], 4.0F);
}

TEST(Gradients, AreEmptyUntilAskedForAndAfterClear) {
  const Parameter dense = array(1);
  Gradients gradients;
  EXPECT_TRUE(gradients.empty());
  gradients.of(dense);
  EXPECT_FALSE(gradients.empty());
  gradients.clear();
  EXPECT_TRUE(gradients.empty());
}

TEST(Gradients, ScaleReachesArraysAndRows) {
  const Parameter dense = array(1), table = array(3);
  Gradients gradients;
  gradients.of(dense).data<float>()[1] = 3.0F;
  add_row(gradients, table, 2, 8.0F);
  gradients.scale(0.5F);
  EXPECT_EQ(gradients.find(dense)->data<float>()[1], 1.5F);
  EXPECT_EQ(gradients.find(table)->data<float>()[4], 4.0F);
}

}  // namespace
}  // namespace weft
