// Gradients that are kept in 16 bits.
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/gradients.h"
#include "framework/precision/element_type.h"
#include "tests/framework/nn/sample_gradients.h"

namespace weft {
namespace {

// Sets the numbers of an array of any type.
void fill(Tensor& to, std::vector<float> numbers) {
  cast_rows(ConstView(numbers.data(), DType::f32, to.shape()), to.view());
}

TEST(LowGradients, TakeTwoBytesForANumberAndAreReadAsF32) {
  const Parameter dense = sample_parameter(4), table = sample_parameter(6);
  Gradients wide, low;
  low.keep_as(DType::f16);
  for (Gradients* gradients : {&wide, &low}) {
    fill(gradients->of(dense), {1, 2, 3, 4, 5, 6, 7, 8});
    std::vector<std::int32_t> rows{5};
    cast_rows(Tensor::from<float>({1, 2}, {0.5F, 0.25F}), gradients->rows_of(table).touch(rows));
  }
  EXPECT_EQ(low.of(dense).dtype(), DType::f16);
  EXPECT_EQ(wide.bytes(), 10 * sizeof(float));
  EXPECT_EQ(low.bytes(), 10 * sizeof(std::uint16_t));
  EXPECT_EQ(low.find(dense)->data<float>()[7], 8.0F);
  EXPECT_EQ(low.find(table)->data<float>()[11], 0.25F);
}

TEST(LowGradients, SumsOfSeveralShardsAreRoundedOnce) {
  const Parameter dense = sample_parameter(1), table = sample_parameter(3);
  Gradients sum, first, second;
  for (Gradients* one : {&sum, &first, &second}) one->keep_as(DType::f16);
  fill(sum.of(dense), {2048.0F, 1.0F});
  fill(first.of(dense), {1.0F, 1.0F});  // alone it would be lost: 2049 is a tie, which goes to 2048
  fill(second.of(dense), {1.0F, 1.0F});
  std::vector<std::int32_t> rows{2};
  cast_rows(Tensor::from<float>({1, 2}, {3.0F, 4.0F}), first.rows_of(table).touch(rows));
  rows = {2};
  cast_rows(Tensor::from<float>({1, 2}, {0.5F, 65504.0F}), second.rows_of(table).touch(rows));
  const Gradients* const others[] = {&first, &second};
  sum.add(others);
  EXPECT_EQ(sum.find(dense)->data<float>()[0], 2050.0F);
  EXPECT_EQ(sum.find(dense)->data<float>()[1], 3.0F);
  EXPECT_EQ(sum.find(table)->data<float>()[4], 3.5F);
  EXPECT_EQ(sum.find(table)->data<float>()[5], 65504.0F);  // 4 is below half of a last place
}

TEST(LowGradients, AreScaledWhereTheyAreReadSoThatSmallOnesSurvive) {
  const Parameter dense = sample_parameter(1), table = sample_parameter(2);
  Gradients gradients;
  gradients.keep_as(DType::f16);
  fill(gradients.of(dense), {0x1p-10F, 1.0F});
  std::vector<std::int32_t> rows{1};
  cast_rows(Tensor::from<float>({1, 2}, {2.0F, 4.0F}), gradients.rows_of(table).touch(rows));
  gradients.scale(0x1p-16F);
  EXPECT_EQ(gradients.factor(), 0x1p-16F);
  EXPECT_EQ(gradients.find(dense)->data<float>()[0], 0x1p-26F);  // no number of fp16
  EXPECT_EQ(gradients.find(table)->data<float>()[2], 0x1p-15F);
  // To be changed in place they become f32, until the next step.
  const std::span<float> numbers = gradients.numbers(dense);
  EXPECT_EQ(numbers[0], 0x1p-26F);
  numbers[0] = 0x1p-30F;
  EXPECT_EQ(gradients.find(dense)->data<float>()[0], 0x1p-30F);
  EXPECT_EQ(gradients.numbers(table)[1], 0x1p-14F);
  EXPECT_EQ(gradients.find(table)->data<float>()[3], 0x1p-14F);
  gradients.clear();
  EXPECT_EQ(gradients.of(dense).dtype(), DType::f16);
  EXPECT_EQ(gradients.rows_of(table).type(), DType::f16);
  EXPECT_EQ(gradients.factor(), 1.0F);
  EXPECT_EQ(gradients.find(dense)->data<float>()[0], 0.0F);
}

}  // namespace
}  // namespace weft
