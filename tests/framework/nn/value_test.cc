#include "framework/nn/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Action>
std::string error_of(Action&& action, ErrorKind kind = ErrorKind::config) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.message();
  }
  return "no error";
}

TEST(Value, SaysWhatItIsWhereSomethingElseIsExpected) {
  Context ctx;
  const Value nothing, docs = DocBatch(), array = Tensor::zeros({1, 1});
  EXPECT_THAT(error_of([&] { as_tensor(nothing); }), HasSubstr("nothing"));
  EXPECT_THAT(error_of([&] { as_tensor(docs); }), HasSubstr("given documents"));
  EXPECT_THAT(error_of([&] { as_docs(array); }), HasSubstr("expected documents"));
  EXPECT_THAT(error_of([&] { as_ragged(ctx, array); }), HasSubstr("ragged"));
}

TEST(Value, ListsBecomeOneRaggedArray) {
  Context ctx;
  const TensorList list = {Tensor::from<float>({2, 2}, {1, 2, 3, 4}), Tensor::zeros({0, 2}),
                           Tensor::from<float>({1, 2}, {5, 6})};
  const Ragged joined = as_ragged(ctx, list);
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
  Context ctx;
  const TensorList list = {Tensor::zeros({1, 2}, DType::f16), Tensor::zeros({2, 2}, DType::f16)};
  EXPECT_EQ(as_ragged(ctx, list).data.dtype(), DType::f16);
}

TEST(Value, ListsOfDifferentWidthsAreRefused) {
  Context ctx;
  const Value list = TensorList{Tensor::zeros({1, 2}), Tensor::zeros({1, 3})};
  EXPECT_THAT(error_of([&] { as_ragged(ctx, list); }, ErrorKind::internal),
              HasSubstr("different widths"));
  const Value flat = TensorList{Tensor::zeros({2})};
  EXPECT_THAT(error_of([&] { as_ragged(ctx, flat); }, ErrorKind::internal), HasSubstr("widths"));
}

TEST(Value, AnEmptyListIsAnEmptyRaggedArray) {
  Context ctx;
  const Ragged joined = as_ragged(ctx, TensorList());
  EXPECT_TRUE(joined.lengths.empty());
  EXPECT_TRUE(split(joined).empty());
}

}  // namespace
}  // namespace weft
