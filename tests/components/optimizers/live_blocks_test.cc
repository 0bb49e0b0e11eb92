// Steps that leave out what they cannot change give the same bytes as those over all numbers.
#include "framework/training/live_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/row_gradient_block.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/gradient_part.h"
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
    parameter.value.data<float>()[40000] = -0.0F;
    parameter.value.data<float>()[41000] = -1.001F * std::numeric_limits<float>::min();
  }
  void add(int step, int touched) {
    gradients.clear();
    std::vector<std::int32_t> blocks;
    for (int k = 0; k < touched; ++k) blocks.push_back((k * k * 31 + step * 977) % (kNumbers / 16));
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

// An optimizer, and how many blocks have a gradient in each step: few, or so many that most blocks
// are live soon.
using LiveCase = std::tuple<std::string, int>;
class LiveSteps : public ::testing::TestWithParam<LiveCase> {};

void expect_equal_states(const OptimizerState& kept, const OptimizerState& other) {
  for (const auto part : {&OptimizerState::mom1, &OptimizerState::mom2, &OptimizerState::average}) {
    ASSERT_EQ(static_cast<bool>(kept.*part), static_cast<bool>(other.*part));
    if (!(kept.*part)) continue;
    EXPECT_EQ(
        std::memcmp((kept.*part).cview().data, (other.*part).cview().data, (kept.*part).bytes()),
        0);
  }
}

TEST_P(LiveSteps, GiveTheSameBytesAsThoseOverAllNumbers) {
  const FlushDenormals flush;  // as training does
  const auto& [optimizer, touched] = GetParam();
  const auto whole = testing::build<OptimizerPtr>(optimizer);
  const auto live = testing::build<OptimizerPtr>(optimizer);
  Weights all(false), few(true);
  for (int step = 1; step <= 12; ++step) {
    for (Weights* weights : {&all, &few}) weights->add(step, touched);
    if (step == 5) {  // no gradient at all
      all.gradients.clear();
      few.gradients.clear();
    }
    if (step == 8) {  // somebody else writes
      for (Weights* weights : {&all, &few}) {
        weights->parameter.value.data<float>()[777] = 1.0F;
        weights->parameter.value.data<float>()[778] = -0.0F;
        ++weights->parameter.version;
      }
    }
    whole->step(all.ctx, all.named, all.gradients);
    live->step(few.ctx, few.named, few.gradients, run_on_threads);
    whole->advance();
    live->advance();
    ASSERT_TRUE(all == few) << "step " << step;
  }
  expect_equal_states(whole->states().at("layer/W"), live->states().at("layer/W"));
}

// The decay ends and leaves a weight of -0, which the next step makes 0.
constexpr const char* kDecayThatEnds = R"(@optimizers = "SGD.v1"
learn_rate = 0.1
use_averages = false

[block.L2]
@schedules = "constant_then.v1"
rate = 0.1
steps = 1

[block.L2.schedule]
@schedules = "constant.v1"
rate = 0.0
)";

INSTANTIATE_TEST_SUITE_P(
    Rules, LiveSteps,
    ::testing::Combine(
        ::testing::Values("@optimizers = \"Adam.v1\"\nL2 = 0.01\nuse_averages = false\n",
                          "@optimizers = \"Adam.v1\"\nL2 = 0.01\nuse_averages = true\n",
                          "@optimizers = \"Adam.v1\"\nL2 = 0.01\nL2_is_weight_decay = false\n",
                          "@optimizers = \"RAdam.v1\"\nlearn_rate = 0.1\n",
                          "@optimizers = \"SGD.v1\"\nlearn_rate = 0.1\ngrad_clip = 0\n",
                          "@optimizers = \"SGD.v1\"\nlearn_rate = 0.1\nuse_averages = false\n",
                          "@optimizers = \"SGD.v1\"\nlearn_rate = 0.1\nuse_averages = false\n"
                          "L2 = 0.1\nL2_is_weight_decay = false\n",
                          kDecayThatEnds),
        ::testing::Values(40, 1500)));

// Plain steps without decay and averages change nothing that has no gradient, and so need not look
// at it: a write that nobody tells of stays where it is.
TEST(PlainSteps, GoOverTouchedBlocksAlone) {
  const auto sgd = testing::build<OptimizerPtr>(
      "@optimizers = \"SGD.v1\"\nlearn_rate = 0.1\nuse_averages = false\n");
  Weights weights(true);
  auto* numbers = weights.parameter.value.data<float>();
  const auto step = [&](std::int32_t block) {
    weights.gradients.clear();
    std::int32_t blocks[] = {block};
    weights.gradients.rows_of(weights.parameter).touch(blocks).row<float>(blocks[0])[3] = 1.0F;
    sgd->step(weights.ctx, weights.named, weights.gradients);
  };
  step(5);
  numbers[40000] = -0.0F;
  step(6);
  EXPECT_TRUE(std::signbit(numbers[40000]));
  EXPECT_EQ(numbers[5 * 16 + 3], -0.1F);
  EXPECT_EQ(numbers[6 * 16 + 3], -0.1F);
  ++weights.parameter.version;
  step(7);
  EXPECT_FALSE(std::signbit(numbers[40000])) << "the first step over weights that somebody wrote";
}

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

TEST(LiveBlocks, NothingIsLeftOutByARuleThatMovesZeros) {
  for (const auto counted : {&ArraySlice::weights, &ArraySlice::mom1, &ArraySlice::mom2}) {
    Counting optimizer(counted);
    Weights weights(true);
    weights.add(1, 40);
    optimizer.step(weights.ctx, weights.named, weights.gradients);
    const OptimizerState& state = optimizer.states().at("layer/W");
    const Tensor& moved = counted == &ArraySlice::weights ? weights.parameter.value
                          : counted == &ArraySlice::mom1  ? state.mom1
                                                          : state.mom2;
    EXPECT_EQ(moved.data<float>()[1], 1.0F);
    EXPECT_EQ(moved.data<float>()[kNumbers - 2], 1.0F);
  }
}

TEST(LiveBlocks, AreThoseThatAreNotZeroInAllArrays) {
  constexpr std::int64_t kBlocks = 1030;
  Parameter parameter{"W", Tensor::zeros({kBlocks * kRowGradientBlock}), 0};
  Tensor moments = Tensor::zeros({kBlocks * kRowGradientBlock});
  parameter.value.data<float>()[3] = 1.0F;
  moments.data<float>()[1029 * kRowGradientBlock] = -1.0F;
  moments.data<float>()[3] = 2.0F;
  const Tensor none;
  const Tensor* const arrays[] = {&parameter.value, &moments, &none};
  const ArrayPart whole{0, parameter.value.size()};
  LiveBlocks live;
  live.find(parameter, whole, arrays);
  EXPECT_TRUE(live.are_few());
  std::vector<std::int32_t> found;
  live.in_slice(0, kBlocks * kRowGradientBlock, found);
  EXPECT_EQ(found, (std::vector<std::int32_t>{0, 1029}));
  live.in_slice(1024 * kRowGradientBlock, 6 * kRowGradientBlock, found);
  EXPECT_EQ(found, std::vector<std::int32_t>{1029});
  for (int b = 0; b < 600; ++b) parameter.value.data<float>()[b * kRowGradientBlock] = 1.0F;
  live.remember(parameter, true);
  live.find(parameter, whole, arrays);
  EXPECT_TRUE(live.are_few()) << "the same version";
  EXPECT_TRUE(live.follow_plain_step());
  ++parameter.version;
  live.find(parameter, whole, arrays);
  EXPECT_FALSE(live.are_few());
  EXPECT_FALSE(live.follow_plain_step());
  live.remember(parameter, false);
  std::fill_n(parameter.value.data<float>(), parameter.value.size(), 0.0F);
  live.find(parameter, whole, arrays);
  EXPECT_FALSE(live.are_few()) << "many are remembered too";
}

// Of state that begins where the part does.
TEST(LiveBlocks, OfAPart) {
  constexpr std::int64_t kBlocks = 2060;
  Parameter parameter{"W", Tensor::zeros({kBlocks * kRowGradientBlock}), 0};
  const ArrayPart part{kBlockElements, kBlocks * kRowGradientBlock};
  Tensor moments = Tensor::zeros({part.size()});
  parameter.value.data<float>()[3] = 1.0F;  // another rank's
  parameter.value.data<float>()[part.begin + 3] = 1.0F;
  moments.data<float>()[2 * kRowGradientBlock] = 1.0F;
  const Tensor* const arrays[] = {&parameter.value, &moments};
  LiveBlocks live;
  live.find(parameter, part, arrays);
  std::vector<std::int32_t> found;
  live.in_slice(part.begin, part.size(), found);
  EXPECT_EQ(found, (std::vector<std::int32_t>{1024, 1026}));
}

class LiveParts : public ::testing::TestWithParam<LiveCase> {};

TEST_P(LiveParts, GiveTheSameBytesAsAWholeArray) {
  const FlushDenormals flush;  // as training does
  const auto& [optimizer, touched] = GetParam();
  const auto whole = testing::build<OptimizerPtr>(optimizer);
  const auto parted = testing::build<OptimizerPtr>(optimizer);
  Weights all(true), some(true);
  const ArrayPart part{kBlockElements, 3 * kBlockElements};
  parted->divide(some.named.front(), part);
  for (int step = 1; step <= 12; ++step) {
    for (Weights* weights : {&all, &some}) weights->add(step, touched);
    keep_part(some.gradients, some.parameter, part);
    whole->step(all.ctx, all.named, all.gradients);
    parted->step(some.ctx, some.named, some.gradients);
    whole->advance();
    parted->advance();
    ASSERT_EQ(std::memcmp(all.parameter.value.data<float>() + part.begin,
                          some.parameter.value.data<float>() + part.begin,
                          static_cast<std::size_t>(part.size()) * sizeof(float)),
              0)
        << "step " << step;
  }
}

// Clipping would need the other parts.
INSTANTIATE_TEST_SUITE_P(
    Rules, LiveParts,
    ::testing::Combine(::testing::Values("@optimizers = \"Adam.v1\"\ngrad_clip = 0\n",
                                         "@optimizers = \"SGD.v1\"\nlearn_rate = 0.1\n"
                                         "grad_clip = 0\nuse_averages = false\n"),
                       ::testing::Values(20, 700)));

}  // namespace
}  // namespace weft
