// Steps that leave out what they cannot change give the same bytes as those over all numbers.
#include "framework/training/live_numbers.h"

#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/row_gradient_block.h"
#include "framework/training/optimizer.h"
#include "tests/components/building.h"

namespace weft {
namespace {

constexpr std::int64_t kNumbers = 50000;  // four slices

// Weights of which most are zero. `is_table`: those may be left out.
struct Weights {
  explicit Weights(bool is_table) {
    parameter.is_table = is_table;
    for (const int i : {0, 16383, 16384, 49999}) parameter.value.data<float>()[i] = 0.5F;
  }
  void add(int step) {
    gradients.clear();
    std::vector<std::int32_t> blocks;
    for (int k = 0; k < 40; ++k) blocks.push_back((k * k * 31 + step * 977) % (kNumbers / 16));
    const View values = gradients.rows_of(parameter).touch(blocks);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      values.row<float>(blocks[i])[(i * 7) % 16] += 0.01F * static_cast<float>(i % 9) - 0.03F;
    }
  }
  bool operator==(const Weights& other) const {
    return std::memcmp(parameter.value.cview().data, other.parameter.value.cview().data,
                       parameter.value.bytes()) == 0;
  }

  Parameter parameter{"W", Tensor::zeros({kNumbers}), 0};
  Gradients gradients;
  std::vector<NamedParameter> named{{"layer/W", &parameter}};
  Context ctx;
};

void run_on_threads(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::vector<std::jthread> threads;
  for (std::size_t i = count; i-- > 0;) threads.emplace_back([&task, i] { task(i); });
}

class LiveSteps : public ::testing::TestWithParam<std::string> {};

TEST_P(LiveSteps, GiveTheSameBytesAsThoseOverAllNumbers) {
  const auto whole = testing::build<OptimizerPtr>(GetParam());
  const auto live = testing::build<OptimizerPtr>(GetParam());
  Weights all(false), few(true);
  for (int step = 1; step <= 12; ++step) {
    for (Weights* weights : {&all, &few}) weights->add(step);
    if (step == 5) {  // no gradient at all
      all.gradients.clear();
      few.gradients.clear();
    }
    if (step == 8) {  // somebody else writes
      for (Weights* weights : {&all, &few}) {
        weights->parameter.value.data<float>()[777] = 1.0F;
        ++weights->parameter.version;
      }
    }
    whole->step(all.ctx, all.named, all.gradients);
    live->step(few.ctx, few.named, few.gradients, run_on_threads);
    ASSERT_TRUE(all == few) << "step " << step;
  }
  const auto& kept = whole->states().at("layer/W");
  const auto& other = live->states().at("layer/W");
  for (const auto part : {&OptimizerState::mom1, &OptimizerState::mom2, &OptimizerState::average}) {
    ASSERT_EQ(static_cast<bool>(kept.*part), static_cast<bool>(other.*part));
    if (!(kept.*part)) continue;
    EXPECT_EQ(
        std::memcmp((kept.*part).cview().data, (other.*part).cview().data, (kept.*part).bytes()),
        0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, LiveSteps,
    ::testing::Values("@optimizers = \"Adam.v1\"\nL2 = 0.01\nuse_averages = false\n",
                      "@optimizers = \"Adam.v1\"\nL2 = 0.01\nuse_averages = true\n",
                      "@optimizers = \"Adam.v1\"\nL2 = 0.01\nL2_is_weight_decay = false\n",
                      "@optimizers = \"RAdam.v1\"\nlearn_rate = 0.1\n",
                      "@optimizers = \"SGD.v1\"\nlearn_rate = 0.1\ngrad_clip = 0\n"));

// Adds one to every number of one array, whatever the gradient.
class Counting final : public Optimizer {
 public:
  explicit Counting(View ArraySlice::*counted) : Optimizer({}), counted_(counted) {}

 protected:
  void apply(Context&, const ArraySlice& slice, std::int64_t, StepScalars) const override {
    const View counted = slice.*counted_;
    float* const numbers = counted.row<float>(0);
    for (std::int64_t i = 0; i < counted.size(); ++i) numbers[i] += 1.0F;
  }

 private:
  View ArraySlice::*counted_;
};

TEST(LiveNumbers, NothingIsLeftOutByARuleThatMovesZeros) {
  for (const auto counted : {&ArraySlice::weights, &ArraySlice::mom1, &ArraySlice::mom2}) {
    Counting optimizer(counted);
    Weights weights(true);
    weights.add(1);
    optimizer.step(weights.ctx, weights.named, weights.gradients);
    const OptimizerState& state = optimizer.states().at("layer/W");
    const Tensor& moved = counted == &ArraySlice::weights ? weights.parameter.value
                          : counted == &ArraySlice::mom1  ? state.mom1
                                                          : state.mom2;
    EXPECT_EQ(moved.data<float>()[1], 1.0F);
    EXPECT_EQ(moved.data<float>()[kNumbers - 2], 1.0F);
  }
}

TEST(LiveNumbers, AreThoseThatAreNotZeroInAllArrays) {
  Parameter parameter{"W", Tensor::zeros({200}), 0};
  Tensor moments = Tensor::zeros({200});
  parameter.value.data<float>()[3] = 1.0F;
  moments.data<float>()[130] = -1.0F;
  moments.data<float>()[3] = 2.0F;
  const Tensor none;
  const Tensor* const arrays[] = {&parameter.value, &moments, &none};
  LiveNumbers live;
  live.find(parameter, arrays);
  EXPECT_TRUE(live.are_few());
  std::vector<std::int32_t> found;
  live.in_slice(0, 200, found);
  EXPECT_EQ(found, (std::vector<std::int32_t>{3, 130}));
  live.in_slice(128, 72, found);
  EXPECT_EQ(found, std::vector<std::int32_t>{2});
  for (int i = 0; i < 100; ++i) parameter.value.data<float>()[i] = 1.0F;
  live.remember(parameter);
  live.find(parameter, arrays);
  EXPECT_TRUE(live.are_few()) << "the same version";
  ++parameter.version;
  live.find(parameter, arrays);
  EXPECT_FALSE(live.are_few());
}

}  // namespace
}  // namespace weft
