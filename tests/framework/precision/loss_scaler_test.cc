#include "framework/precision/loss_scaler.h"

#include <limits>

#include <gtest/gtest.h>

#include "framework/precision/unscale.h"

namespace weft {
namespace {

ScaleUpdate step(LossScaler& scaler, GradientStatus status) {
  return scaler.update({&status, 1});
}

LossScalerSettings quick() {
  LossScalerSettings settings;
  settings.init_scale = 8.0;
  settings.growth_interval = 2;
  return settings;
}

TEST(LossScaler, GrowsAfterGoodStepsAndFallsAtOnce) {
  LossScaler scaler(quick());
  step(scaler, GradientStatus::finite);
  EXPECT_EQ(scaler.scale(), 8.0F);
  step(scaler, GradientStatus::finite);
  EXPECT_EQ(scaler.scale(), 16.0F);
  step(scaler, GradientStatus::finite);
  const ScaleUpdate update = step(scaler, GradientStatus::non_finite);
  EXPECT_EQ(update.result, StepResult::skipped);
  EXPECT_EQ(update.scale_before, 16.0F);
  EXPECT_EQ(update.scale_after, 8.0F);
  EXPECT_EQ(scaler.state().growth_tracker, 0);
  EXPECT_EQ(scaler.state().applied_total, 3);
  EXPECT_EQ(scaler.state().skipped_total, 1);
}

TEST(LossScaler, StaysWithinItsBounds) {
  LossScalerSettings settings = quick();
  settings.min_scale = 4.0;
  settings.max_scale = 10.0;
  LossScaler scaler(settings);
  step(scaler, GradientStatus::finite);
  step(scaler, GradientStatus::finite);
  EXPECT_EQ(scaler.scale(), 10.0F);
  for (int i = 0; i < 4; ++i) step(scaler, GradientStatus::non_finite);
  EXPECT_EQ(scaler.scale(), 4.0F);
  settings.init_scale = 64.0;
  EXPECT_EQ(LossScaler(settings).scale(), 10.0F);
}

TEST(LossScaler, AFixedScaleStaysAndStillSkips) {
  LossScalerSettings settings = quick();
  settings.dynamic = false;
  settings.init_scale = 128.0;
  settings.max_scale = 2.0;  // bounds are for dynamic scales
  LossScaler scaler(settings);
  for (int i = 0; i < 5; ++i) step(scaler, GradientStatus::finite);
  EXPECT_EQ(step(scaler, GradientStatus::non_finite).result, StepResult::skipped);
  EXPECT_EQ(scaler.scale(), 128.0F);
}

TEST(LossScaler, OneOverflowAmongOptimizersLowersTheScaleOnce) {
  LossScaler scaler(quick());
  const GradientStatus statuses[] = {GradientStatus::non_finite, GradientStatus::finite,
                                     GradientStatus::non_finite};
  EXPECT_EQ(scaler.update(statuses).scale_after, 4.0F);
  EXPECT_EQ(scaler.state().skipped_total, 1);
}

TEST(LossScaler, AStepWithoutGradientsCountsAsNeither) {
  LossScaler scaler(quick());
  step(scaler, GradientStatus::finite);
  const LossScalerState before = scaler.state();
  EXPECT_EQ(step(scaler, GradientStatus::none).result, StepResult::empty);
  EXPECT_EQ(scaler.state(), before);
}

TEST(LossScaler, SkipsWithoutEndAreDivergence) {
  LossScalerSettings settings;
  settings.max_consecutive_skips = 3;
  LossScaler scaler(settings);
  step(scaler, GradientStatus::non_finite);
  step(scaler, GradientStatus::non_finite);
  step(scaler, GradientStatus::finite);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(step(scaler, GradientStatus::non_finite).diverged);
  EXPECT_TRUE(step(scaler, GradientStatus::non_finite).diverged);
  scaler.restart();
  EXPECT_EQ(scaler.scale(), 65536.0F);
  EXPECT_FALSE(step(scaler, GradientStatus::non_finite).diverged);
}

TEST(LossScaler, ABadLossIsSkippedWithoutTouchingTheScale) {
  LossScaler scaler(quick());
  step(scaler, GradientStatus::finite);
  scaler.skip_for_loss();
  EXPECT_EQ(scaler.state().skipped_total, 1);
  EXPECT_EQ(scaler.state().growth_tracker, 1);
  EXPECT_EQ(scaler.scale(), 8.0F);
}

// Gradients 1, 2 and 3 of three micro-batches are unscaled once and give 6.
TEST(LossScaler, AccumulationIsUnscaledOnce) {
  const LossScaler scaler{LossScalerSettings{}};
  float sum = 0.0F;
  for (const float gradient : {1.0F, 2.0F, 3.0F}) sum += gradient * scaler.scale();
  check_and_unscale(std::span(&sum, 1), scaler.inverse_scale());
  EXPECT_EQ(sum, 6.0F);
  EXPECT_EQ(scaler.inverse_scale(3.0), static_cast<float>(1.0 / (65536.0 * 3.0)));
}

}  // namespace
}  // namespace weft
