#include "framework/nn/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    return error.message();
  }
  return "no error";
}

TEST(Value, SaysWhatItIsWhereSomethingElseIsExpected) {
  HostAllocator host;
  const Value nothing, docs = DocBatch(), array = Tensor::zeros({1, 1});
  EXPECT_THAT(error_of([&] { as_tensor(nothing); }), HasSubstr("nothing"));
  EXPECT_THAT(error_of([&] { as_tensor(docs); }), HasSubstr("given documents"));
  EXPECT_THAT(error_of([&] { as_docs(array); }), HasSubstr("expected documents"));
  EXPECT_THAT(error_of([&] { as_ragged(host, array); }), HasSubstr("ragged"));
}

TEST(Value, ListsBecomeOneRaggedArray) {
  HostAllocator host;
  const TensorList list = {Tensor::from<float>({2, 2}, {1, 2, 3, 4}), Tensor::zeros({0, 2}),
                           Tensor::from<float>({1, 2}, {5, 6})};
  const Ragged joined = as_ragged(host, list);
  EXPECT_THAT(joined.lengths, ElementsAre(2, 0, 1));
  EXPECT_EQ(joined.data.shape(), (Shape{3, 2}));
  EXPECT_EQ(joined.data.data<float>()[5], 6.0F);
  const TensorList parts = split(joined);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1].dim(0), 0);
  EXPECT_EQ(parts[2].data<float>()[0], 5.0F);
  EXPECT_EQ(parts[0].data<float>(), joined.data.data<float>());  // no copy
}

TEST(Value, ListsKeepTheirType) {
  HostAllocator host;
  const TensorList list = {Tensor::zeros({1, 2}, DType::f16), Tensor::zeros({2, 2}, DType::f16)};
  EXPECT_EQ(as_ragged(host, list).data.dtype(), DType::f16);
}

TEST(Value, ListsOfDifferentWidthsAreRefused) {
  HostAllocator host;
  const Value list = TensorList{Tensor::zeros({1, 2}), Tensor::zeros({1, 3})};
  EXPECT_THAT(error_of([&] { as_ragged(host, list); }), HasSubstr("different widths"));
  const Value flat = TensorList{Tensor::zeros({2})};
  EXPECT_THAT(error_of([&] { as_ragged(host, flat); }), HasSubstr("widths"));
}

TEST(Value, AnEmptyListIsAnEmptyRaggedArray) {
  HostAllocator host;
  const Ragged joined = as_ragged(host, TensorList());
  EXPECT_TRUE(joined.lengths.empty());
  EXPECT_TRUE(split(joined).empty());
}

}  // namespace
}  // namespace weft
