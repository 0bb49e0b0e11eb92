#include "framework/nn/shape_inference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

ModelPtr node() {
  return std::make_shared<Model>("linear", [](Context&, const Model&, const Value& x) {
    return Forward{x, {}};
  });
}

TEST(ShapeInference, TheWidthIsThatOfRows) {
  const Tensor array = Tensor::zeros({3, 5});
  EXPECT_EQ(width_of(array), 5);
  EXPECT_EQ(width_of(Ragged{array, {3}}), 5);
  EXPECT_EQ(width_of(TensorList{array, array}), 5);
  EXPECT_EQ(width_of(Tensor::zeros({2, 3, 4})), 4);
  EXPECT_EQ(width_of(Tensor::zeros({0, 6})), 6);
}

TEST(ShapeInference, OtherValuesHaveNoWidth) {
  EXPECT_EQ(width_of(Value()), std::nullopt);
  EXPECT_EQ(width_of(DocBatch()), std::nullopt);
  EXPECT_EQ(width_of(TensorList()), std::nullopt);
  EXPECT_EQ(width_of(Tensor()), std::nullopt);
}

TEST(ShapeInference, DimensionsComeFromSamplesOrAreGiven) {
  const ModelPtr model = node();
  declare_dim(*model, "nI", std::nullopt);
  declare_dim(*model, "nO", 3);
  infer_dim(*model, "nI", Value());
  EXPECT_FALSE(model->has_dim("nI"));
  infer_dim(*model, "nI", Tensor::zeros({1, 7}));
  EXPECT_EQ(known_dim(*model, "nI"), 7);
  EXPECT_EQ(known_dim(*model, "nO"), 3);
  EXPECT_THROW(infer_dim(*model, "nO", Tensor::zeros({1, 7})), Error);
}

TEST(ShapeInference, ASizeThatNobodyKnowsIsNamed) {
  try {
    known_dim(*node(), "nO");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_THAT(error.message(), HasSubstr("nO of layer linear"));
  }
}

TEST(ShapeInference, ParametersAreFilledOnceAndDrawInOrder) {
  InitRandom random(3), again(3);
  const ModelPtr model = node(), other = node();
  init_param(*model, "W", {2, 2}, normal_init(0, 1), random);
  init_param(*model, "b", {2}, normal_init(0, 1), random);
  // One that is there already keeps its numbers, and takes a stream all the same: later draws do
  // not depend on it.
  other->set_param("W", Tensor::from<float>({2, 2}, {1, 2, 3, 4}));
  init_param(*other, "W", {2, 2}, normal_init(0, 1), again);
  init_param(*other, "b", {2}, normal_init(0, 1), again);
  EXPECT_EQ(other->param("W").value.data<float>()[3], 4.0F);
  EXPECT_EQ(other->param("b").value.data<float>()[1], model->param("b").value.data<float>()[1]);
  EXPECT_NE(model->param("W").value.data<float>()[0], 0.0F);
}

}  // namespace
}  // namespace weft
