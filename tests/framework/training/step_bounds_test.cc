// Bounds against the arithmetic they are of: whatever they allow has to stay within them.
#include "framework/training/step_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/precision/element_type.h"

namespace weft {
namespace {

constexpr std::int64_t kCount = 64;

// Arrays of numbers from tiny to huge, and a step of any rule with any settings.
class RandomStep {
 public:
  explicit RandomStep(std::uint64_t seed) : random_(seed) {
    facts_.rule = static_cast<StepRule>(random_() % 3);
    facts_.weight_type = type();
    facts_.moment_type = type();
    const bool is_tame = random_() % 2 == 0;  // most settings otherwise are out of bounds
    StepScalars& s = facts_.scalars;
    s.learn_rate = static_cast<float>(size(is_tame ? 0 : 38));
    s.decay = static_cast<float>(random_() % 4 == 0 ? size(is_tame ? 0 : 3) : 0.0);
    s.l2 = static_cast<float>(random_() % 4 == 0 ? size(is_tame ? 0 : 38) : 0.0);
    s.beta1 = share(), s.beta2 = share();
    s.eps = random_() % 8 == 0 ? 0.0F : static_cast<float>(size(0));
    s.clip = random_() % 2 == 0 ? 1.0F : share();
    facts_.average_rate = random_() % 2 == 0 ? 0.0F : share();
    weights_ = array(facts_.weight_type, is_tame ? 1 : 39);
    mom1_ = array(facts_.moment_type, is_tame ? 1 : 39);
    mom2_ = array(facts_.moment_type, is_tame ? 1 : 39, random_() % 8 != 0);
    average_ = array(DType::f32, 1);
    gradient_ = array(DType::f32, is_tame ? 1 : 39);
    measure_gradient();
  }

  const StepFacts& facts() const { return facts_; }
  StepBounds bounds() const {
    StepBounds bounds{.weight = largest_of(weights_),
                      .mom1 = largest_of(mom1_),
                      .mom2 = largest_of(mom2_),
                      .average = largest_of(average_)};
    if (facts_.moment_type != DType::f32) bounds.mom2 *= bounds.mom2;
    const Tensor second = cast_to(DType::f32, mom2_);
    const float* numbers = second.data<float>();
    bounds.mom2_may_be_negative =
        std::any_of(numbers, numbers + kCount, [](float x) { return x < 0.0F; });
    return bounds;
  }
  void run() {
    StepArray array{.rule = facts_.rule,
                    .scalars = facts_.scalars,
                    .gradient = {gradient_.data<float>(), DType::f32, 1.0F},
                    .weights = weights_.view().data,
                    .mom1 = mom1_.view().data,
                    .mom2 = mom2_.view().data,
                    .average = facts_.average_rate == 0.0 ? nullptr : average_.data<float>(),
                    .weight_type = facts_.weight_type,
                    .moment_type = facts_.moment_type,
                    .average_rate = static_cast<float>(facts_.average_rate),
                    .count = kCount};
    ctx_.run<StepArrays>(std::span<const StepArray>(&array, 1));
  }

 private:
  DType type() { return std::array{DType::f32, DType::f16, DType::bf16}[random_() % 3]; }
  float share() { return std::uniform_real_distribution<float>(0.0F, 1.0F)(random_); }
  double size(double most) {
    return std::pow(10.0, std::uniform_real_distribution<double>(most - 12.0, most)(random_));
  }
  Tensor array(DType type, double most, bool positive = false) {
    Tensor wide = Tensor::zeros({kCount});
    for (std::int64_t i = 0; i < kCount; ++i) {
      const double number = std::min(size(most), 3e38);
      if (random_() % 4 == 0) continue;
      wide.data<float>()[i] = static_cast<float>(positive || random_() % 2 == 0 ? number : -number);
    }
    return cast_to(type, wide);
  }
  void measure_gradient() {
    const Tensor weights = cast_to(DType::f32, weights_);
    double squares = 0.0;
    ctx_.run<SquaredNorm>(gradient_, weights, facts_.scalars.l2, &squares);
    facts_.gradient_norm = std::sqrt(squares);
  }

  std::mt19937_64 random_;
  Context ctx_;
  StepFacts facts_;
  Tensor weights_, mom1_, mom2_, average_, gradient_;
};

TEST(StepBounds, WhatTheyAllowStaysWithinThem) {
  std::array<int, 3> allowed{}, refused{};
  for (std::uint64_t seed = 0; seed < 30000; ++seed) {
    RandomStep step(seed);
    const auto rule = static_cast<std::size_t>(step.facts().rule);
    const auto after = bounds_after(step.bounds(), step.facts());
    ++(after ? allowed : refused)[rule];
    if (!after) continue;
    step.run();
    const StepBounds found = step.bounds();
    ASSERT_LE(found.weight, after->weight) << seed;
    ASSERT_LE(found.average, after->average) << seed;  // one that is not kept stays as it is
    if (step.facts().rule == StepRule::sgd) continue;
    ASSERT_LE(found.mom1, after->mom1) << seed;
    ASSERT_LE(found.mom2, after->mom2) << seed;
    ASSERT_FALSE(found.mom2_may_be_negative) << seed;
  }
  for (std::size_t rule = 0; rule < 3; ++rule) {
    EXPECT_GT(allowed[rule], 500) << rule;
    EXPECT_GT(refused[rule], 500) << rule;
  }
}

StepFacts usual() {
  StepFacts facts;
  facts.scalars = {
      .learn_rate = 0.001F, .decay = 1e-5F, .beta1 = 0.9F, .beta2 = 0.999F, .eps = 1e-8F};
  facts.gradient_norm = 1.0;
  facts.average_rate = 0.0001;
  return facts;
}

// Else every step of a long run would be made twice.
TEST(StepBounds, StayTightForAsLongAsARunTakes) {
  StepBounds bounds{0.5, 0.0, 0.0, 0.0};
  for (int step = 0; step < 1000000; ++step) {
    const auto after = bounds_after(bounds, usual());
    ASSERT_TRUE(after) << step;
    bounds = *after;
  }
}

TEST(StepBounds, WhatIsNotKnownAllowsNothing) {
  const StepBounds known{1.0, 1.0, 1.0, 1.0};
  ASSERT_TRUE(bounds_after(known, usual()));
  for (double StepBounds::*one :
       {&StepBounds::weight, &StepBounds::mom1, &StepBounds::mom2, &StepBounds::average}) {
    for (const double none : {StepBounds::unknown, std::nan("")}) {
      StepBounds bounds = known;
      bounds.*one = none;
      EXPECT_FALSE(bounds_after(bounds, usual()));
    }
  }
  StepBounds negative = known;
  negative.mom2_may_be_negative = true;
  EXPECT_FALSE(bounds_after(negative, usual()));
}

TEST(StepBounds, SettingsWithoutBoundsAllowNothing) {
  const StepBounds known{1.0, 1.0, 1.0, 1.0};
  const auto allows = [&](auto change) {
    StepFacts facts = usual();
    change(facts);
    return bounds_after(known, facts).has_value();
  };
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(allows([](StepFacts& f) { f.scalars.eps = 0.0F; }));
  EXPECT_FALSE(allows([](StepFacts& f) { f.scalars.eps = -1.0F; }));
  EXPECT_FALSE(allows([](StepFacts& f) { f.scalars.beta2 = 1.5F; }));
  EXPECT_FALSE(allows([](StepFacts& f) { f.scalars.beta1 = -0.5F; }));
  EXPECT_FALSE(allows([&](StepFacts& f) { f.scalars.learn_rate = inf; }));
  EXPECT_FALSE(allows([](StepFacts& f) { f.scalars.learn_rate = 1e30F; }));
  EXPECT_FALSE(allows([](StepFacts& f) { f.gradient_norm = 1e20; }));
  EXPECT_FALSE(allows([&](StepFacts& f) { f.scalars.l2 = inf; }));
  EXPECT_FALSE(allows([&](StepFacts& f) { f.scalars.decay = inf; }));
  EXPECT_FALSE(allows([](StepFacts& f) { f.average_rate = std::nan(""); }));
}

TEST(StepBounds, ALargestNumberIsThatOfAllAndOfWhatIsStored) {
  EXPECT_EQ(largest_of(Tensor()), 0.0);
  EXPECT_EQ(largest_of(Tensor::from<float>({3}, {1.0F, -4.0F, 2.0F})), 4.0);
  EXPECT_EQ(largest_of(Tensor::from<float>({3}, {1.0F, std::nanf(""), 2.0F})), StepBounds::unknown);
  const Tensor large = Tensor::from<float>({2}, {70000.0F, 1.0F});
  EXPECT_EQ(largest_stored(large, DType::f32), 70000.0);
  EXPECT_EQ(largest_stored(large, DType::f16), StepBounds::unknown);
  EXPECT_EQ(largest_stored(large, DType::bf16), 70144.0);
  EXPECT_EQ(largest_stored(Tensor::from<float>({1}, {3.4e38F}), DType::bf16), StepBounds::unknown);
}

}  // namespace
}  // namespace weft
