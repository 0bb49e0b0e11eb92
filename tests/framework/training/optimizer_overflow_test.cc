// Steps whose gradients are fine and whose outcome is not: found before anything is written, on the
// CPU and on a device, by every rule.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/nn/device_weights.h"
#include "framework/precision/element_type.h"
#include "framework/training/optimizer.h"
#include "registry/base/error.h"
#include "tests/framework/devices/fake_device.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

enum class Rule { adam, momentum, sgd, own };

// Any rule with settings that the test changes between steps.
class AnyRule final : public Optimizer {
 public:
  AnyRule(Rule rule, OptimizerSettings settings) : Optimizer(std::move(settings)), rule_(rule) {}
  float rate = 0.1F;
  float beta2 = 0.5F;
  float eps = 1e-8F;

 protected:
  std::optional<StepRule> rule(std::int64_t, StepScalars& s) const override {
    s.learn_rate = rate;
    s.beta1 = 0.5F;
    s.beta2 = beta2;
    s.eps = eps;
    if (rule_ == Rule::own) return {};
    return static_cast<StepRule>(rule_);
  }
  void apply(Context& ctx, const ArraySlice& at, std::int64_t updates,
             StepScalars s) const override {
    if (rule_ != Rule::own) return Optimizer::apply(ctx, at, updates, s);
    rule(updates, s);
    ctx.run<SgdStep>(at.weights, at.gradient, s);
  }
  int moments() const override { return rule_ == Rule::sgd || rule_ == Rule::own ? 0 : 2; }

 private:
  Rule rule_;
};

// The differences between a good step and one that overflows.
struct Fault {
  const char* name;
  float rate;
  float gradient;
  const char* parameter;  // the first that is hit
  bool hits_adam = true;  // which divides a gradient by its size
};

class OptimizerOverflowTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "cpu") {
      ctx_ = std::make_unique<Context>();
      return;
    }
    device_ = std::make_unique<testing::FakeDevice>();
    stream_ = device_->make_stream(0);
    weights_ = std::make_shared<DeviceWeights>(stream_);
    ctx_ = std::make_unique<Context>(stream_);
    ctx_->use(weights_.get());
    gradients_ = std::make_unique<Gradients>(stream_);
  }

  std::unique_ptr<AnyRule> optimizer(Rule rule, bool l2 = false) {
    OptimizerSettings settings;
    settings.grad_clip = 0.0;
    if (l2) settings.l2 = 1.0;
    settings.l2_is_weight_decay = false;
    auto made = std::make_unique<AnyRule>(rule, settings);
    made->use(weights_);
    return made;
  }
  void fill(float a, float b, DType type = DType::f32) {
    a_.value = cast_to(type, Tensor::from<float>({2}, {a, 2.0F}));
    b_.value = cast_to(type, Tensor::from<float>({2}, {b, 4.0F}));
    ++a_.version, ++b_.version;
  }
  void give(const Parameter& parameter, float gradient) {
    const Tensor host = Tensor::from<float>({2}, {gradient, 0.0F});
    ctx_->copy(ctx_->placed(host), gradients_->of(parameter));
    ctx_->end_step();
  }
  // A step in which `b_` has that gradient.
  void step(Optimizer& optimizer, float gradient) {
    if (weights_) {
      Parameter* const all[] = {&a_, &b_};
      weights_->refresh(all);
    }
    gradients_->clear();
    give(a_, 0.25F);
    give(b_, gradient);
    optimizer.step(*ctx_, all_, *gradients_);
    optimizer.advance();
    ctx_->end_step();
    if (weights_) weights_->fetch();
  }
  // Everything that a step changes, as bytes.
  std::string kept(const Optimizer& optimizer) const {
    std::string all;
    const auto add = [&all](const Tensor& array) {
      all.append(static_cast<const char*>(array.cview().data), array.bytes()) += '|';
    };
    for (const Parameter* parameter : {&a_, &b_}) {
      add(parameter->value);
      all += std::to_string(parameter->version);
    }
    for (const auto& [name, state] : optimizer.states_on_host()) {
      all += name + std::to_string(state.updates);
      for (const Tensor& array : {state.mom1, state.mom2, state.average}) add(array);
    }
    return all + std::to_string(optimizer.schedule_step());
  }
  void expect_refused(AnyRule& optimizer, float gradient, const std::string& parameter = "x/b") {
    const std::string before = kept(optimizer);
    try {
      step(optimizer, gradient);
      ADD_FAILURE() << "the step was applied";
    } catch (const StepError& error) {
      EXPECT_EQ(error.kind(), ErrorKind::diverged);
      EXPECT_EQ(error.parameter(), parameter);
      EXPECT_EQ(error.cause(), StepError::Cause::step);
      EXPECT_THAT(error.message(), HasSubstr(parameter));
    }
    ctx_->end_step();
    EXPECT_EQ(kept(optimizer), before);
    EXPECT_FALSE(weights_ && weights_->is_ahead());
  }

  std::unique_ptr<testing::FakeDevice> device_;
  std::shared_ptr<Stream> stream_;
  std::shared_ptr<DeviceWeights> weights_;
  std::unique_ptr<Context> ctx_;
  std::unique_ptr<Gradients> gradients_ = std::make_unique<Gradients>();
  Parameter a_{"W", Tensor::zeros({2})};
  Parameter b_{"b", Tensor::zeros({2})};
  std::vector<NamedParameter> all_ = {{"x/W", &a_}, {"x/b", &b_}};
};

constexpr Fault kFaults[] = {{"a rate beyond all", 3e38F, 1e5F, "x/b", false},
                             {"a large rate and a large gradient", 1e25F, 1e18F, "x/b", false},
                             {"an infinite rate", INFINITY, 0.5F, "x/W"},
                             {"a rate that is none", NAN, 0.5F, "x/W"}};

// After it the run goes on as if there had been no such step.
TEST_P(OptimizerOverflowTest, NothingOfTheStepIsApplied) {
  for (const Rule rule : {Rule::adam, Rule::momentum, Rule::sgd, Rule::own}) {
    for (const Fault& fault : kFaults) {
      if (rule == Rule::adam && !fault.hits_adam) continue;
      SCOPED_TRACE(std::string(fault.name) + ", rule " + std::to_string(static_cast<int>(rule)));
      std::vector<std::string> ends;
      for (const bool has_fault : {false, true}) {
        fill(1.0F, 3.0F);
        a_.version = b_.version = 7;
        const auto one = optimizer(rule);
        step(*one, 0.5F);
        const float rate = one->rate;
        if (has_fault) {
          one->rate = fault.rate;
          expect_refused(*one, fault.gradient, fault.parameter);
          one->rate = rate;
        }
        step(*one, 0.5F);
        ends.push_back(kept(*one));
      }
      EXPECT_EQ(ends[0], ends[1]);
    }
  }
}

TEST_P(OptimizerOverflowTest, TheFirstStepOfAllIsLookedAtToo) {
  for (const Rule rule : {Rule::adam, Rule::momentum, Rule::sgd, Rule::own}) {
    fill(1.0F, 3.0F);
    const auto one = optimizer(rule);
    one->rate = INFINITY;
    expect_refused(*one, 0.5F, "x/W");
    EXPECT_TRUE(one->states().empty());
  }
}

TEST_P(OptimizerOverflowTest, AMomentThatOverflowsIsFoundThoughTheWeightIsFine) {
  fill(1.0F, 3.0F);
  const auto one = optimizer(Rule::adam);
  step(*one, 0.5F);
  expect_refused(*one, 1e20F);  // its square is beyond f32
}

TEST_P(OptimizerOverflowTest, ADivisionOfZeroByZeroIsFound) {
  fill(1.0F, 3.0F);
  const auto one = optimizer(Rule::adam);
  step(*one, 0.5F);
  one->eps = 0.0F;  // the second number of each array never had a gradient
  expect_refused(*one, 0.5F, "x/W");
}

TEST_P(OptimizerOverflowTest, AWeightThatSomebodyElseWroteIsMeasured) {
  for (const Rule rule : {Rule::adam, Rule::momentum, Rule::sgd, Rule::own}) {
    fill(1.0F, 3.0F);
    const auto one = optimizer(rule);
    step(*one, 0.5F);
    b_.value.data<float>()[0] = 3.3e38F;
    ++b_.version;
    one->rate = -1e38F;
    expect_refused(*one, 0.5F);
    // Another array with the version of the old one.
    const std::uint64_t version = a_.version;
    fill(1.0F, 3.0F);
    one->rate = 0.1F;
    step(*one, 0.5F);
    b_.value = Tensor::from<float>({2}, {3.3e38F, 4.0F});
    if (weights_) b_.version = version + 9;  // a device takes notice of a new version alone
    one->rate = -1e38F;
    expect_refused(*one, 0.5F);
  }
}

TEST_P(OptimizerOverflowTest, WhatIsStoredInSixteenBitsHasToFitThere) {
  for (const Rule rule : {Rule::momentum, Rule::sgd}) {
    fill(1.0F, 60000.0F, DType::f16);
    const auto one = optimizer(rule);
    step(*one, 0.5F);
    one->rate = -20000.0F;
    expect_refused(*one, 0.5F);
    one->rate = -200.0F;
    step(*one, 0.5F);  // large, and fine
    EXPECT_GT(cast_to(DType::f32, b_.value).data<float>()[0], 60000.0F);
  }
  fill(1.0F, 3.0F);
  const auto one = optimizer(Rule::momentum);
  one->keep_low_moments(DType::f16, 1e-4);
  step(*one, 0.5F);
  for (const float beta2 : {0.5F, 0.9999F}) {  // the first moment alone, where the second is slow
    one->beta2 = beta2;
    expect_refused(*one, 1e6F);
  }
}

TEST_P(OptimizerOverflowTest, LargeStepsThatFitAreMadeAsEver) {
  fill(1.0F, 3.0F);
  const auto one = optimizer(Rule::sgd);
  one->rate = 1e38F;
  step(*one, -1.0F);
  EXPECT_EQ(b_.value.data<float>()[0], 1e38F);
  step(*one, -1.0F);
  EXPECT_EQ(b_.value.data<float>()[0], 2e38F);
  step(*one, -1.0F);
  EXPECT_FLOAT_EQ(b_.value.data<float>()[0], 3e38F);
  expect_refused(*one, -1.0F);
}

TEST_P(OptimizerOverflowTest, TheL2TermIsNamedAsTheCause) {
  fill(1.0F, 3e38F);
  const auto one = optimizer(Rule::sgd, true);
  const std::string before = kept(*one);
  try {
    step(*one, 3e38F);
    FAIL();
  } catch (const StepError& error) {
    EXPECT_EQ(error.cause(), StepError::Cause::penalized);
    EXPECT_EQ(error.parameter(), "x/b");
  }
  ctx_->end_step();
  EXPECT_EQ(kept(*one), before);
}

TEST_P(OptimizerOverflowTest, BoundsFollowTheWeightsThroughTheirAverages) {
  fill(1.0F, 3.0F);
  const auto one = optimizer(Rule::sgd);
  one->rate = 3.35e38F;
  step(*one, -1.0F);
  one->swap_averages(all_);
  one->swap_averages(all_);
  if (weights_) weights_->fetch();
  EXPECT_EQ(b_.value.data<float>()[0], 3.35e38F);
  one->rate = 8e37F;  // fine for weights that are small
  expect_refused(*one, -1.0F);
}

TEST_P(OptimizerOverflowTest, WhatACheckpointGaveIsMeasured) {
  for (const float mom2 : {-1.0F, 3e38F}) {
    fill(1.0F, 3.0F);
    const auto one = optimizer(Rule::adam);
    for (const char* name : {"x/W", "x/b"}) {
      const bool is_b = std::string(name) == "x/b";
      one->set_state(name, {.updates = 3,
                            .mom1 = Tensor::from<float>({2}, {0.5F, 0.5F}),
                            .mom2 = Tensor::from<float>({2}, {is_b ? mom2 : 1.0F, 1.0F}),
                            .average = Tensor::zeros({2})});
    }
    one->beta2 = 0.9F;
    expect_refused(*one, mom2 < 0.0F ? 0.5F : 3e19F);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, OptimizerOverflowTest, ::testing::Values("cpu", "fake"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace weft
