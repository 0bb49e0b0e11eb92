// The work of every optimizer around its rule: which arrays take part, clipping, averages, formats.
#include "framework/training/optimizer.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

// w -= rate * clip * g; counts what it is asked to do.
class Descent final : public Optimizer {
 public:
  explicit Descent(OptimizerSettings settings) : Optimizer(std::move(settings)) {}

 protected:
  void apply(Context&, const ArraySlice& slice, std::int64_t, StepScalars scalars) const override {
    float* weights = slice.weights.as<float>();
    const float* gradient = slice.gradient.as<float>();
    for (std::int64_t i = 0; i < slice.weights.size(); ++i) {
      weights[i] -= static_cast<float>(learn_rate()) * scalars.clip * gradient[i];
    }
  }
  int moments() const override { return 0; }
};

OptimizerSettings settings(double clip = 0.0) {
  OptimizerSettings settings;
  settings.learn_rate = 1.0;
  settings.grad_clip = clip;
  return settings;
}

class OptimizerTest : public ::testing::Test {
 protected:
  void step(Optimizer& optimizer) {
    optimizer.step(ctx_, all_, gradients_);
    optimizer.advance();
    gradients_.clear();
  }
  void give(Parameter& parameter, std::vector<float> numbers) {
    Tensor& to = gradients_.of(parameter);
    cast_rows(ConstView(numbers.data(), DType::f32, to.shape()), to.view());
  }
  static float first(const Parameter& parameter) { return at(parameter, 0); }
  static float at(const Parameter& parameter, int i) {
    return cast_to(DType::f32, parameter.value).data<float>()[i];
  }

  Parameter a_{"W", Tensor::from<float>({2}, {1.0F, 2.0F})};
  Parameter b_{"b", Tensor::from<float>({2}, {3.0F, 4.0F})};
  std::vector<NamedParameter> all_ = {{"x/W", &a_}, {"x/b", &b_}};
  Gradients gradients_;
  Context ctx_;
};

TEST_F(OptimizerTest, ArraysTakePartFromTheirFirstGradientOn) {
  Descent optimizer(settings());
  give(a_, {0.5F, 0.0F});
  step(optimizer);
  EXPECT_EQ(first(a_), 0.5F);
  EXPECT_EQ(first(b_), 3.0F);
  EXPECT_FALSE(optimizer.states().contains("x/b"));
  give(b_, {1.0F, 0.0F});
  step(optimizer);  // `a` has none in this step: a zero one
  EXPECT_EQ(first(a_), 0.5F);
  EXPECT_EQ(optimizer.states().at("x/W").updates, 2);
  EXPECT_EQ(optimizer.states().at("x/b").updates, 1);
  EXPECT_EQ(a_.version, 2U);
  EXPECT_EQ(b_.version, 1U);
}

TEST_F(OptimizerTest, EachArrayIsClippedByItsOwnNorm) {
  Descent optimizer(settings(5.0));
  give(a_, {6.0F, 8.0F});  // 10
  give(b_, {3.0F, 3.9F});  // below 5
  step(optimizer);
  EXPECT_FLOAT_EQ(first(a_), 1.0F - 3.0F);
  EXPECT_FLOAT_EQ(at(b_, 1), 4.0F - 3.9F);
}

TEST_F(OptimizerTest, ANormOfExactlyTheLimitIsLeftAsItIs) {
  Descent optimizer(settings(5.0));
  give(a_, {3.0F, 4.0F});
  step(optimizer);
  EXPECT_FLOAT_EQ(first(a_), -2.0F);
}

TEST_F(OptimizerTest, GradientsInSixteenBitsAreMultipliedWhenTheyAreRead) {
  for (const double clip : {0.0, 0x1p-14}) {
    Descent optimizer(settings(clip));
    a_.value = Tensor::zeros({2});
    gradients_.keep_as(DType::f16);
    give(a_, {3.0F, 4.0F});
    gradients_.scale(0x1p-14F);
    step(optimizer);
    // Clipped by the norm of what they are, five times the limit, not of what is stored.
    const float kept = clip == 0.0 ? 1.0F : 0.2F;
    EXPECT_FLOAT_EQ(at(a_, 1), -4.0F * 0x1p-14F * kept);
  }
}

TEST_F(OptimizerTest, RowsOfATableAreReadInEveryFormat) {
  for (const DType type : {DType::f32, DType::f16, DType::bf16}) {
    Descent optimizer(settings(1.0));
    Gradients gradients;
    gradients.keep_as(type);
    Parameter table{"E", Tensor::zeros({4, 2})};
    std::vector<std::int32_t> rows{2};
    cast_rows(Tensor::from<float>({1, 2}, {3.0F, 4.0F}), gradients.rows_of(table).touch(rows));
    const NamedParameter named[] = {{"x/E", &table}};
    optimizer.step(ctx_, named, gradients);
    EXPECT_EQ(at(table, 0), 0.0F);
    EXPECT_FLOAT_EQ(at(table, 4), -0.6F);
    EXPECT_FLOAT_EQ(at(table, 5), -0.8F);
  }
}

TEST_F(OptimizerTest, WeightsInSixteenBitsAreRoundedOnceAStep) {
  Descent optimizer(settings());
  a_.value = cast_to(DType::f16, Tensor::from<float>({2}, {1.0F, 1.0F}));
  give(a_, {0x1p-13F, 0x1p-9F});
  step(optimizer);
  EXPECT_EQ(a_.value.dtype(), DType::f16);
  EXPECT_EQ(at(a_, 0), 1.0F);  // below half of a last place
  EXPECT_EQ(at(a_, 1), 1.0F - 0x1p-9F);
  // The average is of the number before it was rounded.
  const float share = 1.0F - 2.0F / 11.0F;
  EXPECT_FLOAT_EQ(optimizer.states().at("x/W").average.data<float>()[0], share * (1.0F - 0x1p-13F));
}

TEST_F(OptimizerTest, ANumberThatIsNoneChangesNothingAndIsNamed) {
  for (const float bad : {NAN, INFINITY}) {
    Descent optimizer(settings());
    give(a_, {0.5F, 0.5F});
    give(b_, {0.5F, bad});
    try {
      optimizer.step(ctx_, all_, gradients_);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::diverged);
      EXPECT_THAT(error.message(), HasSubstr("x/b"));
    }
    EXPECT_EQ(first(a_), 1.0F);
    EXPECT_TRUE(optimizer.states().empty());
    gradients_.clear();
  }
}

TEST_F(OptimizerTest, AveragesAndValuesChangePlacesAndBack) {
  Descent optimizer(settings());
  give(a_, {0.5F, 0.0F});
  step(optimizer);
  const std::uint64_t version = a_.version;
  optimizer.swap_averages(all_);
  EXPECT_FLOAT_EQ(first(a_), 0.5F * (1.0F - 2.0F / 11.0F));
  EXPECT_EQ(first(b_), 3.0F);  // has no average
  EXPECT_GT(a_.version, version);
  optimizer.swap_averages(all_);
  EXPECT_EQ(first(a_), 0.5F);
}

TEST_F(OptimizerTest, AnArrayThatHasGrownStartsAnew) {
  Descent optimizer(settings());
  give(a_, {0.5F, 0.0F});
  step(optimizer);
  a_.value = Tensor::from<float>({3}, {1.0F, 2.0F, 3.0F});
  give(a_, {0.0F, 0.0F, 1.0F});
  step(optimizer);
  EXPECT_EQ(at(a_, 2), 2.0F);
  EXPECT_EQ(optimizer.states().at("x/W").updates, 1);
  EXPECT_EQ(optimizer.states().at("x/W").average.dim(0), 3);
}

TEST_F(OptimizerTest, SchedulesFollowTheStep) {
  OptimizerSettings changing = settings();
  changing.learn_rate = Schedule(std::vector<double>{1.0, 0.5});
  Descent optimizer(changing);
  EXPECT_EQ(optimizer.learn_rate(), 1.0);
  give(a_, {1.0F, 0.0F});
  step(optimizer);
  EXPECT_EQ(optimizer.learn_rate(), 0.5);
  optimizer.set_schedule_step(0);
  EXPECT_EQ(optimizer.learn_rate(), 1.0);
}

}  // namespace
}  // namespace weft
