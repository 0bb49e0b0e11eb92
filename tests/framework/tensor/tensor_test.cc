#include "framework/tensor/tensor.h"

#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TensorTest, HandsOutItsElementsInTheirOwnTypeOnly) {
  Tensor narrow = Tensor::zeros({3, 2}, DType::f16);
  const Tensor numbers = Tensor::from<std::int32_t>({2}, {4, 5});
  EXPECT_EQ(numbers.data<std::int32_t>()[1], 5);
  try {
    narrow.data<float>()[5] = 1.0F;  // four bytes behind the last two
    FAIL() << "floats were written into 16-bit numbers";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    EXPECT_THAT(error.message(), HasSubstr("an array (3, 2) of f16 was taken for one of f32"));
  }
  EXPECT_THROW(static_cast<void>(numbers.data<float>()), Error);
  EXPECT_THROW(static_cast<void>(numbers.rows(1, 2).data<std::int64_t>()), Error);
}

TEST(TensorTest, AnArrayWithoutElementsHasEveryType) {
  Tensor none({}, {0, 7}, DType::bf16);
  EXPECT_NO_THROW(static_cast<void>(none.data<float>()));
  const Tensor unset;
  EXPECT_EQ(unset.data<float>(), nullptr);
  EXPECT_FALSE(unset);
}

TEST(TensorTest, RowsAndOtherShapesShareTheElements) {
  Tensor whole = Tensor::from<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  Tensor last = whole.rows(2, 3);
  EXPECT_EQ(last.shape(), Shape({1, 2}));
  last.data<float>()[1] = 9;
  EXPECT_EQ(whole.data<float>()[5], 9);
  Tensor flat = whole.reshaped({6});
  flat.data<float>()[0] = 7;
  EXPECT_EQ(whole.data<float>()[0], 7);
  EXPECT_EQ(whole.rows(1, 1).size(), 0);
  const Tensor cube = Tensor::from<float>({2, 1, 2}, {1, 2, 3, 4});
  EXPECT_EQ(cube.rows(1, 2).shape(), Shape({1, 1, 2}));
  EXPECT_EQ(cube.rows(1, 2).data<float>()[0], 3);
}

TEST(TensorTest, ACopyIsOfTheSameShapeAndTypeOrRefused) {
  const Tensor from = Tensor::from<float>({2}, {1, 2});
  Tensor copy = from.clone();
  copy.data<float>()[0] = 5;
  EXPECT_EQ(from.data<float>()[0], 1);
  Tensor longer = Tensor::zeros({3}), other = Tensor::zeros({2}, DType::i32);
  EXPECT_THROW(longer.copy_from(from), Error);
  EXPECT_THROW(other.copy_from(from), Error);
  Tensor same = Tensor::zeros({2});
  same.copy_from(from);
  const float* values = same.data<float>();
  EXPECT_THAT(std::vector<float>(values, values + 2), ElementsAre(1, 2));
}

TEST(TensorTest, AShapeIsWrittenAsAList) {
  EXPECT_EQ(Shape({2, 3}).str(), "(2, 3)");
  EXPECT_EQ(Shape().str(), "()");
  EXPECT_EQ(Shape({2, 3, 4}).size(), 24);
}

}  // namespace
}  // namespace weft
