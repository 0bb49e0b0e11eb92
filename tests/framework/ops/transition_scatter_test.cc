// Gradients of the hidden vectors of states, scattered to the lower rows of tokens: by features, in
// the order of TransitionSingles, as side by side.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/ops/transition_steps.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

constexpr std::int64_t kTokens = 9, kStates = 12;

std::vector<float> numbers_of(const Tensor& tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.size()};
}

class TransitionScatterTest : public ::testing::Test {
 protected:
  // A state for each token and some more; two of them see token 3 as another feature too.
  TransitionScatterTest() {
    for (std::int32_t state = 0; state < kStates; ++state) {
      const bool is_open = state == 4 || state == 9;
      features_.insert(features_.end(), {state % 9, is_open ? 3 : -1, state == 4 ? 3 : -1});
    }
    for (std::int64_t i = 0; i < kStates * shape_.hidden; ++i) {
      winners_.push_back(static_cast<std::uint8_t>(i % 2));
    }
    record_.features = features_.data();
    record_.winners = winners_.data();
    record_.rows = kStates;
  }
  std::int64_t find_singles() {
    std::int64_t singles = -1;
    ctx_.run<TransitionSingles>(shape_, record_, order_.view(), place_.view(), singles);
    return singles;
  }
  // The gradients of pad and bias.
  std::vector<std::vector<float>> scatter(const LowerGradient& to) {
    Tensor pad = Tensor::zeros({shape_.row()}), bias = Tensor::zeros({shape_.slice()});
    ctx_.run<TransitionScatter>(shape_, record_, d_hidden_.data<float>(), to, pad.data<float>(),
                                bias.data<float>());
    return {numbers_of(pad), numbers_of(bias)};
  }

  Context ctx_;
  ScorerShape shape_{.features = 3, .hidden = 5, .pieces = 2};
  std::vector<std::int32_t> features_;
  std::vector<std::uint8_t> winners_;
  TransitionRecord record_;
  Tensor d_hidden_ = random_tensor({kStates, 5}, 1);
  Tensor order_ = ctx_.host_array({kTokens}, DType::i32);
  Tensor place_ = ctx_.host_array({kTokens}, DType::i32);
};

TEST_F(TransitionScatterTest, SinglesComeFirstAndTheLastTokenIsNone) {
  EXPECT_EQ(find_singles(), 7);
  const auto* order = order_.data<std::int32_t>();
  EXPECT_THAT(std::vector<std::int32_t>(order, order + kTokens),
              ::testing::ElementsAre(0, 1, 2, 4, 5, 6, 7, 3, 8));
  for (std::int32_t i = 0; i < kTokens; ++i) EXPECT_EQ(place_.data<std::int32_t>()[order[i]], i);
}

TEST_F(TransitionScatterTest, WhereMostHaveOtherFeaturesThereAreNoSingles) {
  for (std::int32_t state = 0; state < 5; ++state)
    features_[static_cast<std::size_t>(3 * state + 1)] = state;
  EXPECT_EQ(find_singles(), 0);
  shape_.features = 1;
  EXPECT_EQ(find_singles(), 0);
}

TEST_F(TransitionScatterTest, GradientsByFeaturesAreThoseOfWholeRows) {
  const std::int64_t singles = find_singles(), slice = shape_.slice(), row = shape_.row();
  Tensor whole = Tensor::zeros({kTokens, row}), first = Tensor::zeros({kTokens, slice});
  Tensor rest = Tensor::zeros({kTokens - singles, row - slice});
  const auto side_by_side = scatter({.whole = whole.data<float>()});
  const auto by_features = scatter({.first = first.data<float>(),
                                    .rest = rest.data<float>(),
                                    .place = place_.data<std::int32_t>(),
                                    .singles = singles});
  EXPECT_EQ(by_features, side_by_side);
  for (std::int64_t token = 0; token < kTokens; ++token) {
    const std::int64_t at = place_.data<std::int32_t>()[token];
    for (std::int64_t i = 0; i < row; ++i) {
      const float expected = whole.data<float>()[token * row + i];
      const float found = i < slice ? first.data<float>()[at * slice + i]
                          : at < singles
                              ? 0.0F
                              : rest.data<float>()[(at - singles) * (row - slice) + i - slice];
      EXPECT_EQ(found, expected) << token << " " << i;
    }
  }
}

}  // namespace
}  // namespace weft
