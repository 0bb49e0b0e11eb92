#include "framework/nn/weight_copies.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/precision/element_type.h"
#include "registry/base/error.h"
#include "tests/framework/nn/waiting_rows.h"

namespace weft {
namespace {

Parameter parameter_of(std::initializer_list<float> values) {
  Parameter parameter;
  parameter.name = "W";
  parameter.value = Tensor::from<float>({static_cast<std::int64_t>(values.size())}, values);
  return parameter;
}

float first(const Tensor* copy) {
  return cast_to(DType::f32, *copy).data<float>()[0];
}

TEST(WeightCopies, AreMadeOnceAndFoundByTheirData) {
  Parameter weight = parameter_of({1.0004F, 2.0F});
  WeightCopies copies(DType::f16);
  copies.track(weight, "layer.W");
  EXPECT_EQ(copies.casts(), 0);
  const Tensor* copy = copies.find(weight.value.cview().data);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->dtype(), DType::f16);
  EXPECT_EQ(first(copy), 1.0F);
  EXPECT_EQ(copies.find(weight.value.cview().data), copy);
  EXPECT_EQ(copies.casts(), 1);
  float other = 0;
  EXPECT_EQ(copies.find(&other), nullptr);
}

TEST(WeightCopies, AreMadeAnewWhenTheWeightHasChanged) {
  Parameter weight = parameter_of({1.0F});
  WeightCopies copies(DType::bf16);
  copies.track(weight, "layer.W");
  copies.find(weight.value.cview().data);
  copies.refresh();  // nothing changed
  copies.find(weight.value.cview().data);
  EXPECT_EQ(copies.casts(), 1);
  weight.value.data<float>()[0] = 4.0F;
  ++weight.version;
  EXPECT_THROW(copies.find(weight.value.cview().data), Error);
  copies.refresh();
  EXPECT_EQ(first(copies.find(weight.value.cview().data)), 4.0F);
  EXPECT_EQ(copies.casts(), 2);
}

TEST(WeightCopies, AreMadeOfRowsThatWaitedToBeChanged) {
  Parameter weight = parameter_of({1.0F});
  const Tensor made = Tensor::from<float>({1}, {8.0F});
  weight.deferred = std::make_shared<testing::WaitingRows>(weight, made);
  WeightCopies copies(DType::bf16);
  copies.track(weight, "layer.E");
  EXPECT_EQ(first(copies.find(weight.value.cview().data)), 8.0F);
}

TEST(WeightCopies, AreGoodWhereTheOptimizerWroteThem) {
  Parameter weight = parameter_of({1.0F});
  WeightCopies copies(DType::bf16);
  EXPECT_FALSE(copies.place_of(weight));  // not tracked
  copies.track(weight, "layer.W");
  EXPECT_FALSE(copies.place_of(weight));  // not in use
  const Tensor* copy = copies.find(weight.value.cview().data);
  const View place = copies.place_of(weight);
  ASSERT_EQ(place.data, copy->cview().data);
  weight.value.data<float>()[0] = 4.0F;
  cast_rows(weight.value, place);
  ++weight.version;
  EXPECT_FALSE(copies.place_of(weight));  // somebody else changed it
  copies.written(weight);
  copies.refresh();
  EXPECT_EQ(copies.find(weight.value.cview().data), copy);
  EXPECT_EQ(first(copy), 4.0F);
  EXPECT_EQ(copies.casts(), 2);
}

TEST(WeightCopies, FollowAWeightThatMoves) {
  Parameter weight = parameter_of({1.0F});
  WeightCopies copies(DType::f16);
  copies.track(weight, "layer.W");
  const Tensor old = weight.value;
  weight.value = Tensor::from<float>({3}, {5.0F, 6.0F, 7.0F});
  ++weight.version;
  copies.refresh();
  EXPECT_EQ(copies.find(old.cview().data), nullptr);
  const Tensor* copy = copies.find(weight.value.cview().data);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->size(), 3);
}

TEST(WeightCopies, AWeightOfSixteenBitsHasNone) {
  Parameter weight = parameter_of({1.0F});
  weight.value = cast_to(DType::f16, weight.value);
  WeightCopies copies(DType::f16);
  copies.track(weight, "layer.W");
  EXPECT_EQ(copies.find(weight.value.cview().data), nullptr);
}

TEST(WeightCopies, ManyThreadsShareOneCast) {
  Parameter weight = parameter_of({1.0F, 2.0F, 3.0F});
  WeightCopies copies(DType::f16);
  copies.track(weight, "layer.W");
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { EXPECT_NE(copies.find(weight.value.cview().data), nullptr); });
  }
  threads.clear();
  EXPECT_EQ(copies.casts(), 1);
}

}  // namespace
}  // namespace weft
