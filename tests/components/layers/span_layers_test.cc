// Layers on spans: values, gradients, and the four pools at once against one by one.
#include "components/layers/span_layers.h"

#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/gradient_check.h"
#include "framework/nn/gradients.h"
#include "framework/ops/mask_source.h"
#include "registry/base/error.h"
#include "tests/framework/ops/expect_near.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

using namespace layers;

Tensor some_spans() {
  return Tensor::from<std::int32_t>({5, 2}, {0, 1, 2, 6, 1, 3, 2, 6, 5, 6});
}

// A pass that keeps the backward functions.
class Training {
 public:
  explicit Training(Context& ctx) : masks_(1, 1) { ctx.pass().train(0.3, gradients_, masks_); }
  const Gradients& gradients() const { return gradients_; }

 private:
  CounterMasks masks_;
  Gradients gradients_;
};

bool same_numbers(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() &&
         std::equal(a.data<float>(), a.data<float>() + a.size(), b.data<float>());
}

TEST(SpanLayers, ExtractTheRowsOfEachSpan) {
  Context ctx;
  Training training(ctx);
  const Tensor x = Tensor::from<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor spans = Tensor::from<std::int32_t>({2, 2}, {1, 3, 0, 2});
  const Forward forward = (*extract_spans())(ctx, TensorList{x, spans});
  const Ragged rows = as_ragged(ctx, forward.output);
  EXPECT_EQ(rows.lengths, (std::vector<std::int64_t>{2, 2}));
  expect_near(rows.data, {3, 4, 5, 6, 1, 2, 3, 4}, 0);
  const Tensor dy = Tensor::from<float>({4, 2}, {1, 2, 3, 4, 50, 60, 70, 80});
  const Value dx = forward.backward(ctx, Ragged{dy, {2, 2}});
  expect_near(std::get<TensorList>(dx)[0], {50, 60, 71, 82, 3, 4}, 0);
}

TEST(SpanLayers, RefuseSpansOutsideOfTheTokens) {
  Context ctx;
  const Tensor x = Tensor::zeros({3, 2});
  for (const auto& span : {std::pair(-1, 1), std::pair(2, 1), std::pair(1, 4)}) {
    const Tensor spans = Tensor::from<std::int32_t>({1, 2}, {span.first, span.second});
    EXPECT_THROW(extract_spans()->predict(ctx, TensorList{x, spans}), Error) << span.first;
  }
  EXPECT_THROW(extract_spans()->predict(ctx, x), Error);
}

TEST(SpanLayers, PoolsAtOnceGiveTheBitsOfPoolsOneByOne) {
  const ModelPtr reducer = mean_max_reducer(4), extraction = extract_spans();
  Context ctx;
  InitRandom random(3);
  reducer->initialize(ctx, Ragged{random_tensor({2, 3}, 1), {2}}, {}, random);
  reducer->name_sites("test");
  const TensorList input{random_tensor({6, 3}, 2), some_spans()};
  const Tensor dy = random_tensor({5, 4}, 4);
  ASSERT_TRUE(reduces_spans(ctx, *reducer));
  ASSERT_FALSE(reduces_spans(ctx, *chain({linear({.outputs = 2})})));
  Training once(ctx);
  const Forward fast = (*reducer)(ctx, input);
  const Tensor fast_dx = std::get<TensorList>(fast.backward(ctx, dy))[0];
  Context other;
  Training again(other);
  const Forward rows = (*extraction)(other, input);
  const Forward slow = (*reducer)(other, rows.output);
  const Value slow_dx = rows.backward(other, slow.backward(other, dy));
  EXPECT_TRUE(same_numbers(as_tensor(fast.output), as_tensor(slow.output)));
  EXPECT_TRUE(same_numbers(fast_dx, std::get<TensorList>(slow_dx)[0]));
  for (const Model* node : std::as_const(*reducer).walk()) {
    for (const auto& parameter : node->params()) {
      EXPECT_TRUE(
          same_numbers(*once.gradients().find(*parameter), *again.gradients().find(*parameter)))
          << node->name() << " " << parameter->name;
    }
  }
}

class SpanLayerGradients : public testing::TestWithParam<double> {};

TEST_P(SpanLayerGradients, EqualDifferencesOfTheOutput) {
  Context ctx;
  InitRandom random(7);
  const Ragged spans{random_tensor({6, 5}, 12), {2, 3, 1}};
  const ModelPtr model = chain({mean_max_reducer(4), linear_logistic(3)});
  model->initialize(ctx, spans, {}, random);
  model->name_sites("test");
  const GradientCheckResult result = check_gradients(*model, spans, {.dropout = GetParam()});
  EXPECT_LT(result.worst, 1e-2) << result.where;
}

INSTANTIATE_TEST_SUITE_P(All, SpanLayerGradients, testing::Values(0.0, 0.4));

TEST(SpanLayers, WithGetitemChangesOneArrayOfAList) {
  const ModelPtr model = with_getitem(1, linear({.outputs = 2}));
  Context ctx;
  InitRandom random(7);
  const TensorList input{random_tensor({2, 3}, 1), random_tensor({4, 5}, 2)};
  model->initialize(ctx, input, {}, random);
  Training training(ctx);
  const Forward forward = (*model)(ctx, input);
  const auto& output = std::get<TensorList>(forward.output);
  EXPECT_TRUE(same_numbers(output[0], input[0]));
  EXPECT_EQ(output[1].shape(), (Shape{4, 2}));
  const Value back = forward.backward(ctx, TensorList{input[0], random_tensor({4, 2}, 3)});
  EXPECT_TRUE(same_numbers(std::get<TensorList>(back)[0], input[0]));
  EXPECT_EQ(std::get<TensorList>(back)[1].shape(), (Shape{4, 5}));
  EXPECT_THROW(with_getitem(2, linear({.outputs = 2}))->predict(ctx, input), Error);
}

TEST(SpanLayers, TokensOfAllSpansHaveALimit) {
  constexpr std::int32_t kTokens = 1 << 20;
  Context ctx;
  const Tensor x = Tensor::zeros({kTokens, 1});
  Tensor spans = Tensor::zeros({65, 2}, DType::i32);
  for (int i = 0; i < 65; ++i) spans.data<std::int32_t>()[2 * i + 1] = kTokens;
  EXPECT_THROW(extract_spans()->predict(ctx, TensorList{x, spans}), Error);
}

}  // namespace
}  // namespace weft
