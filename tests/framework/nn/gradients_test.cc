#include "framework/nn/gradients.h"

#include <gtest/gtest.h>

#include "tests/framework/nn/sample_gradients.h"

namespace weft {
namespace {

TEST(Gradients, RowsOfAnEarlierStepAreGone) {
  const Parameter table = sample_parameter(4);
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
  const Parameter dense = sample_parameter(1);
  Gradients gradients;
  EXPECT_TRUE(gradients.empty());
  gradients.of(dense);
  EXPECT_FALSE(gradients.empty());
  gradients.clear();
  EXPECT_TRUE(gradients.empty());
}

TEST(Gradients, ArraysOfAnEarlierStepAreZerosAgain) {
  const Parameter dense = sample_parameter(2);
  Gradients gradients;
  gradients.of(dense).data<float>()[3] = 2.0F;
  gradients.clear();
  EXPECT_EQ(gradients.find(dense), nullptr);
  EXPECT_EQ(gradients.of(dense).data<float>()[3], 0.0F);
  gradients.of(dense).data<float>()[3] = 3.0F;  // asked for again within the step: added to
  EXPECT_EQ(gradients.of(dense).data<float>()[3], 3.0F);
}

TEST(Gradients, AreFreshUntilSomebodyHasAddedToThem) {
  Parameter dense = sample_parameter(1);
  Gradients gradients;
  const Gradients::Accumulator first = gradients.accumulator_of(dense);
  EXPECT_TRUE(first.is_uninitialised);
  EXPECT_EQ(first.beta(), 0.0F);
  first.array.data<float>()[0] = 4.0F;
  first.array.data<float>()[1] = 5.0F;
  const Gradients::Accumulator second = gradients.accumulator_of(dense);
  EXPECT_FALSE(second.is_uninitialised);
  EXPECT_EQ(second.beta(), 1.0F);
  EXPECT_EQ(second.array.data<float>()[0], 4.0F);
  EXPECT_EQ(gradients.of(dense).data<float>()[1], 5.0F);
  gradients.clear();
  EXPECT_TRUE(gradients.empty());
  gradients.of(dense);
  EXPECT_FALSE(gradients.accumulator_of(dense).is_uninitialised);  // zeros were asked for
  dense.value = Tensor::zeros({3, 2});                             // the layer grew
  EXPECT_TRUE(gradients.accumulator_of(dense).is_uninitialised);
}

TEST(Gradients, RememberThatScaledOnesWereRead) {
  const Parameter dense = sample_parameter(1);
  Gradients gradients;
  gradients.of(dense);
  static_cast<void>(gradients.find(dense));
  EXPECT_FALSE(gradients.take_early_read());
  gradients.mark_scaled(true);
  gradients.of(dense);  // to add is no reading
  EXPECT_FALSE(gradients.take_early_read());
  static_cast<void>(gradients.find(dense));
  EXPECT_TRUE(gradients.take_early_read());
  EXPECT_FALSE(gradients.take_early_read());
  static_cast<void>(gradients.numbers(dense));
  EXPECT_TRUE(gradients.take_early_read());
  gradients.clear();
  static_cast<void>(gradients.find(dense));
  EXPECT_FALSE(gradients.take_early_read());
}

TEST(Gradients, ScaleReachesArraysAndRows) {
  const Parameter dense = sample_parameter(1), table = sample_parameter(3);
  Gradients gradients;
  gradients.of(dense).data<float>()[1] = 3.0F;
  add_row(gradients, table, 2, 8.0F);
  gradients.scale(0.5F);
  EXPECT_EQ(gradients.find(dense)->data<float>()[1], 1.5F);
  EXPECT_EQ(gradients.find(table)->data<float>()[4], 4.0F);
}

}  // namespace
}  // namespace weft
