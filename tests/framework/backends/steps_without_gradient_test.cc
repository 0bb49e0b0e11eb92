// Many steps of an array without a gradient have the bytes of the same steps with one of zeros,
// whatever the numbers: where they take the short way, and where a short way would be wrong.
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/fading_steps.h"
#include "framework/ops/kernel.h"
#include "framework/ops/optimizer_step.h"
#include "framework/pipeline/worker_pool.h"

namespace weft {
namespace {

constexpr float kWeights[] = {0.0F, -0.0F,   1e-39F, 2e-38F, -1e-16F, 1e-14F, 3e-6F,
                              0.1F, -0.125F, 3.0F,   -1e10F, 1e20F,   3e38F};
constexpr float kMom1[] = {0.0F,   -0.0F,  1e-44F, 1e-38F, -1e-20F,
                           1e-12F, -1e-7F, 1e-3F,  -1.0F,  1e30F};
constexpr float kMom2[] = {0.0F, 1e-44F, 1e-38F, 1e-30F, 1e-12F, 1e-6F, 1.0F, 1e30F};

struct Arrays {
  std::vector<float> weights, mom1, mom2;

  static View view(std::vector<float>& array) {
    return {array.data(), DType::f32, {static_cast<std::int64_t>(array.size())}};
  }
  static std::vector<std::uint32_t> bits(const std::vector<float>& array) {
    std::vector<std::uint32_t> all;
    for (const float number : array) all.push_back(std::bit_cast<std::uint32_t>(number));
    return all;
  }
};

template <class StepOp>
void step_one_by_one(Arrays& arrays, std::span<const StepScalars> steps) {
  Stream stream;
  const std::vector<float> zeros(arrays.weights.size());
  for (const StepScalars& s : steps) {
    kernel_of<StepOp>(DeviceKind::cpu)(
        stream, Arrays::view(arrays.weights),
        ConstView(zeros.data(), DType::f32, {static_cast<std::int64_t>(zeros.size())}),
        Arrays::view(arrays.mom1), Arrays::view(arrays.mom2), s);
  }
}

template <class ManyOp>
void step_together(Arrays& arrays, std::span<const StepScalars> steps) {
  Stream stream;
  FadingSteps fading;
  for (const StepScalars& s : steps) fading.add(s);
  kernel_of<ManyOp>(DeviceKind::cpu)(stream, Arrays::view(arrays.weights),
                                     Arrays::view(arrays.mom1), Arrays::view(arrays.mom2), steps,
                                     fading);
}

// The same numbers in all places: a way that is taken for many numbers at a time is taken where it
// is right for one of them.
template <class StepOp, class ManyOp>
void compare(std::span<const StepScalars> steps, std::size_t size) {
  for (const float weight : kWeights) {
    for (const float mom1 : kMom1) {
      for (const float mom2 : kMom2) {
        Arrays one_by_one{std::vector<float>(size, weight), std::vector<float>(size, mom1),
                          std::vector<float>(size, mom2)};
        Arrays together = one_by_one;
        step_one_by_one<StepOp>(one_by_one, steps);
        step_together<ManyOp>(together, steps);
        ASSERT_EQ(Arrays::bits(together.weights), Arrays::bits(one_by_one.weights))
            << weight << ' ' << mom1 << ' ' << mom2;
        ASSERT_EQ(Arrays::bits(together.mom1), Arrays::bits(one_by_one.mom1))
            << weight << ' ' << mom1 << ' ' << mom2;
        ASSERT_EQ(Arrays::bits(together.mom2), Arrays::bits(one_by_one.mom2))
            << weight << ' ' << mom1 << ' ' << mom2;
      }
    }
  }
}

std::vector<StepScalars> steps_of(std::size_t count, const StepScalars& first, float rise) {
  std::vector<StepScalars> steps(count, first);
  for (std::size_t i = 1; i < count; ++i) {
    steps[i].learn_rate = steps[i - 1].learn_rate * rise;
  }
  return steps;
}

class StepsWithoutGradient : public ::testing::TestWithParam<StepScalars> {};

TEST_P(StepsWithoutGradient, HaveTheBytesOfStepsWithZeros) {
  for (const bool flushes : {true, false}) {
    std::optional<FlushDenormals> flush;
    if (flushes) flush.emplace();
    for (const float rise : {1.0F, 0.99F, 1.05F}) {
      const std::vector<StepScalars> steps = steps_of(120, GetParam(), rise);
      for (const std::size_t size : {32U, 35U}) {
        compare<AdamStep, AdamWithoutGradient>(steps, size);
        compare<MomentumStep, MomentumWithoutGradient>(steps, size);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Settings, StepsWithoutGradient,
    ::testing::Values(
        StepScalars{
            .learn_rate = 1e-3F, .decay = 1e-5F, .beta1 = 0.9F, .beta2 = 0.999F, .eps = 1e-8F},
        StepScalars{
            .learn_rate = 0.5F, .decay = 0.0F, .beta1 = 0.95F, .beta2 = 0.95F, .eps = 1e-12F},
        StepScalars{.learn_rate = 0.0F, .decay = 1e-3F, .beta1 = 0.0F, .beta2 = 1.0F, .eps = 1.0F},
        // The product of a gradient of zero has a sign: no short way.
        StepScalars{.clip = -1.0F,
                    .learn_rate = 1e-3F,
                    .decay = 1e-5F,
                    .beta1 = 0.9F,
                    .beta2 = 0.999F,
                    .eps = 1e-8F},
        // Moves that may grow: neither.
        StepScalars{
            .learn_rate = 1e-3F, .decay = 0.5F, .beta1 = 0.9F, .beta2 = 0.999F, .eps = 1e-8F},
        StepScalars{
            .learn_rate = 1e-3F, .decay = 1e-5F, .beta1 = 0.99F, .beta2 = 0.5F, .eps = 1e-8F},
        StepScalars{
            .learn_rate = 1e-3F, .decay = 1e-5F, .beta1 = 1.0F, .beta2 = 0.9F, .eps = 1e-8F},
        StepScalars{
            .learn_rate = 100.0F, .decay = 1e-5F, .beta1 = 0.9F, .beta2 = 0.999F, .eps = 0.0F},
        StepScalars{
            .learn_rate = -1e-3F, .decay = -1e-5F, .beta1 = -0.9F, .beta2 = 0.0F, .eps = 1e-8F}));

// Numbers of all sizes side by side.
TEST(StepsWithoutGradient, TakeEachNumberForItself) {
  Arrays one_by_one;
  for (const float weight : kWeights) {
    for (const float mom1 : kMom1) {
      for (const float mom2 : kMom2) {
        one_by_one.weights.push_back(weight);
        one_by_one.mom1.push_back(mom1);
        one_by_one.mom2.push_back(mom2);
      }
    }
  }
  Arrays together = one_by_one;
  const FlushDenormals flush;
  const StepScalars first{
      .learn_rate = 1e-3F, .decay = 1e-5F, .beta1 = 0.9F, .beta2 = 0.999F, .eps = 1e-8F};
  const std::vector<StepScalars> steps = steps_of(500, first, 0.999F);
  step_one_by_one<AdamStep>(one_by_one, steps);
  step_together<AdamWithoutGradient>(together, steps);
  EXPECT_EQ(Arrays::bits(together.weights), Arrays::bits(one_by_one.weights));
  EXPECT_EQ(Arrays::bits(together.mom1), Arrays::bits(one_by_one.mom1));
  EXPECT_EQ(Arrays::bits(together.mom2), Arrays::bits(one_by_one.mom2));
}

}  // namespace
}  // namespace weft
