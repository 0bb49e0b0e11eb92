// Gradients between the passes and the optimizer; on a device rounded and multiplied where they are
// read, and looked at once.
#include "framework/training/step_gradients.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/nn/device_weights.h"
#include "framework/precision/element_type.h"
#include "framework/training/optimizer.h"
#include "tests/framework/devices/fake_device.h"

namespace weft {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr float kInf = std::numeric_limits<float>::infinity();

// Weights that descend by their gradient, clipped; by no rule that backends have.
class OwnRule final : public Optimizer {
 public:
  OwnRule(OptimizerSettings settings, int moments)
      : Optimizer(std::move(settings)), moments_(moments) {}

 protected:
  void apply(Context& ctx, const ArraySlice& at, std::int64_t, StepScalars s) const override {
    s.learn_rate = static_cast<float>(learn_rate());
    ctx.run<SgdStep>(at.weights, at.gradient, s);
  }
  int moments() const override { return moments_; }

 private:
  int moments_;
};

class ByRule final : public Optimizer {
 public:
  using Optimizer::Optimizer;

 protected:
  std::optional<StepRule> rule(std::int64_t, StepScalars& s) const override {
    s.learn_rate = static_cast<float>(learn_rate());
    return StepRule::sgd;
  }
  int moments() const override { return 0; }
};

class DeviceGradientsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ctx_.use(weights_.get());
    Parameter* const all[] = {&a_, &b_, &without_};
    weights_->refresh(all);
  }
  void give(const Parameter& parameter, std::vector<float> numbers) {
    Tensor host = Tensor::zeros({static_cast<std::int64_t>(numbers.size())});
    std::copy(numbers.begin(), numbers.end(), host.data<float>());
    ctx_.copy(ctx_.placed(host), gradients_.of(parameter));
    ctx_.end_step();
  }
  std::vector<float> read(const Parameter& parameter) const {
    Gradients host = gradients_.on_host();
    const auto numbers = host.numbers(parameter);
    return {numbers.begin(), numbers.end()};
  }
  // The weights after a step of descent with rate 1.
  std::vector<float> stepped(Optimizer& optimizer, const Parameter& parameter) {
    optimizer.use(weights_);
    optimizer.step(ctx_, all_, gradients_);
    weights_->fetch();
    const float* values = parameter.value.data<float>();
    return {values, values + parameter.value.size()};
  }
  static OptimizerSettings settings(double clip = 0.0, double l2 = 0.0) {
    OptimizerSettings settings;
    settings.learn_rate = 1.0;
    settings.grad_clip = clip;
    settings.l2 = l2;
    settings.l2_is_weight_decay = false;
    settings.use_averages = false;
    return settings;
  }

  testing::FakeDevice device_;
  std::shared_ptr<Stream> stream_ = device_.make_stream(0);
  std::shared_ptr<DeviceWeights> weights_ = std::make_shared<DeviceWeights>(stream_);
  Context ctx_{stream_};
  Parameter a_{"W", Tensor::from<float>({3}, {1.0F, 2.0F, 3.0F})};
  Parameter b_{"b", Tensor::from<float>({1}, {5.0F})};
  Parameter without_{"pad", Tensor::from<float>({2}, {7.0F, 8.0F})};
  std::vector<NamedParameter> all_ = {{"x/W", &a_}, {"x/b", &b_}, {"x/pad", &without_}};
  Gradients gradients_{stream_};
};

TEST_F(DeviceGradientsTest, FactorsAreAppliedWhereGradientsAreRead) {
  give(a_, {8.0F, -4.0F, 2.0F});
  gradients_.scale(0.25F);
  gradients_.scale(0.5F);
  EXPECT_EQ(gradients_.factor(), 0.125F);
  EXPECT_THAT(read(a_), ElementsAre(1.0F, -0.5F, 0.25F));
  gradients_.clear();
  give(a_, {8.0F, -4.0F, 2.0F});
  EXPECT_THAT(read(a_), ElementsAre(8.0F, -4.0F, 2.0F));
}

TEST_F(DeviceGradientsTest, WhatIsKeptInSixteenBitsIsRoundedBeforeItIsMultiplied) {
  gradients_.keep_as(DType::f16);
  EXPECT_EQ(gradients_.type(), DType::f32);
  give(a_, {0x1p-24F, 1.0F + 0x1p-12F, 0x1.8p-25F});
  gradients_.scale(0x1p-10F);
  EXPECT_THAT(read(a_), ElementsAre(0x1p-34F, 0x1p-10F, 0x1p-34F));
  ByRule optimizer(settings());
  EXPECT_THAT(stepped(optimizer, a_), ElementsAre(1.0F, 2.0F - 0x1p-10F, 3.0F));
}

TEST_F(DeviceGradientsTest, WhatAHookWroteIsReadAsItIs) {
  gradients_.keep_as(DType::f16);
  give(a_, {1.0F, 2.0F, 3.0F});
  gradients_.scale(0.5F);
  Gradients host = gradients_.on_host();
  host.numbers(a_)[0] = 1.0F + 0x1p-20F;
  gradients_.take(host);
  EXPECT_THAT(read(a_), ElementsAre(1.0F + 0x1p-20F, 1.0F, 1.5F));
}

TEST_F(DeviceGradientsTest, OneLookFindsWhatIsNotFiniteAndTheNorms) {
  give(a_, {3.0F, 0.0F, -4.0F});
  give(b_, {kInf});
  const StepGradients found = unscale(ctx_, all_, gradients_, 0.5F);
  EXPECT_EQ(found.status, GradientStatus::non_finite);
  EXPECT_THAT(found.bad, ElementsAre("x/b"));
  EXPECT_EQ(gradients_.squares(a_), 25.0);
  EXPECT_FALSE(gradients_.squares(without_));
  EXPECT_THAT(read(a_), ElementsAre(1.5F, 0.0F, -2.0F));
  gradients_.of(a_);
  EXPECT_FALSE(gradients_.squares(a_));  // it may be added to
  gradients_.clear();
  EXPECT_EQ(unscale(ctx_, all_, gradients_, 1.0F).status, GradientStatus::none);
}

TEST_F(DeviceGradientsTest, TheCommonNormIsThatOfTheMultipliedNumbers) {
  give(a_, {6.0F, 0.0F, 0.0F});
  give(b_, {8.0F});
  gradients_.scale(0.5F);  // norm 5
  clip_together(ctx_, all_, gradients_, 10.0);
  EXPECT_FLOAT_EQ(gradients_.factor(), 0.5F);
  clip_together(ctx_, all_, gradients_, 1.0);
  EXPECT_NEAR(gradients_.factor(), 0.1F, 1e-6);
  EXPECT_NEAR(read(b_)[0], 0.8F, 1e-6);
  clip_together(ctx_, all_, gradients_, 0.0);  // off
  EXPECT_NEAR(gradients_.factor(), 0.1F, 1e-6);
}

TEST_F(DeviceGradientsTest, TheCommonNormLeavesOutWhatHadAGradientInAnEarlierStep) {
  give(without_, {300.0F, 400.0F});
  unscale(ctx_, all_, gradients_, 1.0F);
  gradients_.clear();
  give(a_, {3.0F, 0.0F, 4.0F});
  clip_together(ctx_, all_, gradients_, 10.0);
  EXPECT_EQ(gradients_.factor(), 1.0F);
}

TEST_F(DeviceGradientsTest, EveryArrayIsClippedByItsOwnUnscaledNorm) {
  give(a_, {12.0F, 0.0F, -16.0F});
  give(b_, {1.0F});
  for (const bool looked_at : {false, true}) {
    SCOPED_TRACE(looked_at);
    if (looked_at) unscale(ctx_, all_, gradients_, 1.0F);
    if (!looked_at) gradients_.scale(0.5F);  // norms 10 and 0.5
    const auto before = std::vector<float>{a_.value.data<float>()[0], b_.value.data<float>()[0]};
    ByRule optimizer(settings(5.0));
    const float first = stepped(optimizer, a_)[0];
    EXPECT_FLOAT_EQ(first, before[0] - 3.0F);
    EXPECT_FLOAT_EQ(b_.value.data<float>()[0], before[1] - 0.5F);
  }
}

TEST_F(DeviceGradientsTest, AnL2TermCountsInTheNorm) {
  give(b_, {0.0F});
  ByRule optimizer(settings(2.5, 1.0));
  EXPECT_THAT(stepped(optimizer, b_), ElementsAre(2.5F));  // the term is 5
}

TEST_F(DeviceGradientsTest, AnInfinityEndsTheStepWithNothingChanged) {
  give(a_, {1.0F, 1.0F, 1.0F});
  give(b_, {-kInf});
  ByRule optimizer(settings());
  try {
    stepped(optimizer, a_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_THAT(error.message(), HasSubstr("x/b"));
  }
  EXPECT_EQ(a_.value.data<float>()[0], 1.0F);
  EXPECT_FALSE(weights_->is_ahead());
}

TEST_F(DeviceGradientsTest, ARuleOfAnOptimizersOwnIsGivenWhatIsToBeRead) {
  gradients_.keep_as(DType::f16);
  give(a_, {2.0F, 1.0F + 0x1p-12F, 0.0F});
  gradients_.scale(0.25F);
  OwnRule own(settings(), 0);
  EXPECT_THAT(stepped(own, a_), ElementsAre(0.5F, 1.75F, 3.0F));
  EXPECT_EQ(without_.value.data<float>()[0], 7.0F);
}

TEST_F(DeviceGradientsTest, WhatIsKeptStaysOnTheDeviceUntilOtherWeightsAreUsed) {
  OptimizerSettings with_averages = settings();
  with_averages.use_averages = true;
  ByRule optimizer(with_averages);
  give(a_, {1.0F, 1.0F, 1.0F});
  stepped(optimizer, a_);
  const auto place = [&] { return optimizer.states().at("x/W").average.device().kind; };
  ASSERT_NE(place(), DeviceKind::cpu);
  optimizer.use(weights_);
  EXPECT_NE(place(), DeviceKind::cpu);
  optimizer.use(nullptr);
  EXPECT_EQ(place(), DeviceKind::cpu);
}

TEST_F(DeviceGradientsTest, SixteenBitMomentsNeedARuleThatBackendsHave) {
  give(a_, {1.0F, 1.0F, 1.0F});
  OwnRule own(settings(), 2);
  own.keep_low_moments(DType::f16, 1e-3);
  try {
    stepped(own, a_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_THAT(error.message(), HasSubstr("optimizer_state"));
  }
}

TEST_F(DeviceGradientsTest, NoArraysHaveNoNorms) {
  EXPECT_THAT(squares_on_device(ctx_, {}), IsEmpty());
}

// A dense parameter and a table of which one row is used, as an optimizer sees them.
class GradientNormTest : public ::testing::Test {
 protected:
  void fill(DType type, std::vector<float> dense, std::vector<float> row) {
    gradients_.keep_as(type);
    const ConstView from(dense.data(), DType::f32, {1, 2});
    cast_rows(from, gradients_.of(dense_).view());
    std::vector<std::int32_t> rows{3};
    cast_rows(ConstView(row.data(), DType::f32, {1, 2}), gradients_.rows_of(table_).touch(rows));
  }

  Parameter dense_{"W", Tensor::zeros({1, 2})}, table_{"E", Tensor::zeros({5, 2})};
  Parameter unused_{"b", Tensor::zeros({2})};
  std::vector<NamedParameter> all_ = {{"W", &dense_}, {"E", &table_}, {"b", &unused_}};
  Context ctx_;
  Gradients gradients_;
};

TEST_F(GradientNormTest, IsThatOfAllNumbersTogether) {
  fill(DType::f32, {1.0F, 2.0F}, {2.0F, 4.0F});
  EXPECT_DOUBLE_EQ(common_norm(ctx_, all_, gradients_), 5.0);
  EXPECT_EQ(common_norm(ctx_, {}, gradients_), 0.0);
}

TEST_F(GradientNormTest, OfNumbersInSixteenBitsCountsThemUnscaled) {
  fill(DType::f16, {1.0F, 2.0F}, {2.0F, 4.0F});
  gradients_.scale(0.5F);
  EXPECT_DOUBLE_EQ(common_norm(ctx_, all_, gradients_), 2.5);
}

// f32 would overflow: the squares are 1e60.
TEST_F(GradientNormTest, IsTakenInF64) {
  fill(DType::f32, {3e30F, 0.0F}, {4e30F, 0.0F});
  EXPECT_NEAR(common_norm(ctx_, all_, gradients_) / 5e30, 1.0, 1e-6);
}

TEST_F(GradientNormTest, ClippingBringsTheNormDownAndNeverUp) {
  for (const DType type : {DType::f32, DType::bf16}) {
    gradients_.clear();
    fill(type, {1.0F, 2.0F}, {2.0F, 4.0F});
    clip_together(ctx_, all_, gradients_, 8.0);
    EXPECT_DOUBLE_EQ(common_norm(ctx_, all_, gradients_), 5.0);
    clip_together(ctx_, all_, gradients_, 0.0);  // off
    EXPECT_DOUBLE_EQ(common_norm(ctx_, all_, gradients_), 5.0);
    clip_together(ctx_, all_, gradients_, 1.0);
    EXPECT_NEAR(common_norm(ctx_, all_, gradients_), 1.0, 1e-6);
    EXPECT_NEAR(gradients_.find(dense_)->data<float>()[1], 0.4F, 1e-6F);
    EXPECT_NEAR(gradients_.find(table_)->data<float>()[7], 0.8F, 1e-6F);
  }
}

TEST_F(GradientNormTest, LeavesWhatIsNotFiniteAsItIs) {
  fill(DType::f32, {1.0F, std::numeric_limits<float>::infinity()}, {2.0F, 4.0F});
  clip_together(ctx_, all_, gradients_, 1.0);
  EXPECT_EQ(gradients_.find(dense_)->data<float>()[0], 1.0F);
  EXPECT_TRUE(std::isinf(gradients_.find(dense_)->data<float>()[1]));
}

// A rank has a run of a table's blocks: rows of 8,192 numbers, of which two are a block.
TEST(SquaresByBlock, AreThoseOfTheRowsWithinThePart) {
  constexpr std::int64_t width = kBlockElements / 2;
  Parameter table{"E", Tensor::zeros({8, width})};
  table.is_table = true;
  Gradients gradients;
  const ArrayPart middle{2 * width, 6 * width};
  EXPECT_THAT(squares_by_block(table, middle, gradients), ElementsAre(0.0, 0.0)) << "no gradient";
  std::vector<std::int32_t> rows{0, 3, 4, 5, 7};
  const View to = gradients.rows_of(table).touch(rows);
  for (std::int64_t i = 0; i < 5; ++i) {
    std::fill_n(to.row<float>(rows[static_cast<std::size_t>(i)]), width, static_cast<float>(i + 1));
  }
  EXPECT_THAT(squares_by_block(table, middle, gradients),
              ElementsAre(4.0 * width, (9.0 + 16.0) * width));
  EXPECT_THAT(squares_by_block(table, {0, 8 * width}, gradients),
              ElementsAre(1.0 * width, 4.0 * width, 25.0 * width, 25.0 * width));
}

// ---- on the host, where threads look at pieces of 2^14 numbers

class HostGradientsTest : public ::testing::Test {
 protected:
  HostGradientsTest() {
    for (Parameter* parameter : {&a_, &b_, &c_}) parameter->value = Tensor::zeros({kSize});
  }

  // The last piece first.
  StepGradients unscale_backwards(float factor) {
    const auto backwards = [](std::size_t count, const std::function<void(std::size_t)>& task) {
      for (std::size_t i = count; i > 0; --i) task(i - 1);
    };
    return unscale(ctx_, all_, gradients_, factor, backwards);
  }
  void fill(const Parameter& parameter, float number) {
    Tensor numbers = Tensor::zeros({kSize});
    std::fill_n(numbers.data<float>(), kSize, number);
    cast_rows(numbers, gradients_.of(parameter).view());
  }

  static constexpr std::int64_t kSize = 40000;  // three pieces
  Context ctx_;
  Parameter a_{"a", {}}, b_{"b", {}}, c_{"c", {}};
  const std::vector<NamedParameter> all_ = {{"x/a", &a_}, {"x/b", &b_}, {"x/c", &c_}};
  Gradients gradients_;
};

TEST_F(HostGradientsTest, EveryPieceIsMultiplied) {
  fill(a_, 8.0F);
  fill(c_, -2.0F);
  EXPECT_EQ(unscale_backwards(0.25F).status, GradientStatus::finite);
  EXPECT_THAT(gradients_.numbers(a_), Each(2.0F));
  EXPECT_THAT(gradients_.numbers(c_), Each(-0.5F));
}

TEST_F(HostGradientsTest, BadGradientsAreNamedOnceInTheirOrder) {
  for (const DType type : {DType::f32, DType::f16}) {
    SCOPED_TRACE(type == DType::f32);
    gradients_.keep_as(type);
    for (const Parameter* parameter : {&a_, &b_, &c_}) fill(*parameter, 1.0F);
    fill(a_, kInf);
    const Tensor last = Tensor::from<float>({1}, {kInf});
    cast_rows(last, gradients_.of(c_).rows(kSize - 1, kSize).view());
    const StepGradients found = unscale_backwards(0.5F);
    EXPECT_EQ(found.status, GradientStatus::non_finite);
    EXPECT_THAT(found.bad, ElementsAre("x/a", "x/c"));
    EXPECT_EQ(gradients_.numbers(b_)[kSize - 1], 0.5F);
    gradients_ = Gradients();
  }
}

}  // namespace
}  // namespace weft
