#include "framework/precision/divergence.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace weft {
namespace {

LossScaler diverged_scaler() {
  LossScaler scaler{LossScalerSettings{}};
  const GradientStatus status = GradientStatus::non_finite;
  for (int i = 0; i < 20; ++i) scaler.update({&status, 1});
  return scaler;
}

TEST(Divergence, SkippedStepsHoldTheOptimizerAndMayHoldItsSchedules) {
  EXPECT_TRUE(clocks_moved(true, OnSkip::hold).schedules);
  EXPECT_FALSE(clocks_moved(false, OnSkip::hold).schedules);
  EXPECT_TRUE(clocks_moved(false, OnSkip::advance).schedules);
  EXPECT_FALSE(clocks_moved(false, OnSkip::advance).optimizer);
}

TEST(Divergence, TheOriginIsTheLatestLayerThatMadeAnOverflow) {
  const LayerGradients layers[] = {{"embed", false, false},
                                   {"window", true, false},
                                   {"maxout", false, false},
                                   {"norm", true, false},
                                   {"output", true, true}};
  EXPECT_EQ(overflow_origin(layers), "norm");
  EXPECT_EQ(overflow_origin(std::span(layers).last(1)), "");
}

TEST(Divergence, ABackwardPassIsRepeatedForTheSameParametersTwiceInARow) {
  OverflowWatch watch;
  EXPECT_FALSE(watch.wants_replay({"a", "b"}));
  EXPECT_TRUE(watch.wants_replay({"b", "a"}));
  EXPECT_FALSE(watch.wants_replay({"a"}));
  watch.step_applied();
  EXPECT_FALSE(watch.wants_replay({"a"}));
  EXPECT_TRUE(OverflowWatch(true).wants_replay({"a"}));
}

TEST(Divergence, ThreeBadLossesInARowStopTheRun) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  LossWatch watch;
  EXPECT_FALSE(watch.must_stop(nan));
  EXPECT_FALSE(watch.must_stop(nan));
  EXPECT_FALSE(watch.must_stop(1.0));
  EXPECT_FALSE(watch.must_stop(nan));
  EXPECT_FALSE(watch.must_stop(-std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(watch.must_stop(nan));
}

TEST(Divergence, StopLeavesTheScalerAlone) {
  LossScaler scaler = diverged_scaler();
  const auto response = respond_to_divergence(OnDivergence::stop, scaler, "ner.maxout");
  EXPECT_EQ(response.action, DivergenceAction::stop);
  EXPECT_EQ(scaler.scale(), 1.0F);
  EXPECT_EQ(response.notice.str(), "precision: 20 skipped steps in a row; stopping [P026]");
}

TEST(Divergence, ALayerFallsBackOnceAndTheScaleStartsAnew) {
  LossScaler scaler = diverged_scaler();
  const auto response = respond_to_divergence(OnDivergence::fallback_layer, scaler, "ner.maxout");
  EXPECT_EQ(response.action, DivergenceAction::layer_in_f32);
  EXPECT_EQ(response.layer, "ner.maxout");
  EXPECT_EQ(scaler.scale(), 65536.0F);
  EXPECT_EQ(scaler.state().fallback_layers, std::vector<std::string>{"ner.maxout"});
  EXPECT_EQ(respond_to_divergence(OnDivergence::fallback_layer, scaler, "ner.maxout").action,
            DivergenceAction::stop);
  EXPECT_EQ(respond_to_divergence(OnDivergence::fallback_layer, scaler, "").action,
            DivergenceAction::stop);
}

TEST(Divergence, TheNinthLayerStopsTheRun) {
  LossScaler scaler = diverged_scaler();
  for (int i = 0; i < 8; ++i) {
    const auto response =
        respond_to_divergence(OnDivergence::fallback_layer, scaler, "layer" + std::to_string(i));
    EXPECT_EQ(response.action, DivergenceAction::layer_in_f32);
  }
  EXPECT_EQ(respond_to_divergence(OnDivergence::fallback_layer, scaler, "layer8").action,
            DivergenceAction::stop);
}

TEST(Divergence, TheRunGoesOnAtO0) {
  LossScaler scaler = diverged_scaler();
  EXPECT_EQ(respond_to_divergence(OnDivergence::fallback_fp32, scaler, "").action,
            DivergenceAction::run_in_f32);
}

}  // namespace
}  // namespace weft
