#include "framework/precision/checkpoint.h"

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

PrecisionPolicy policy_at(const std::string& level) {
  PrecisionSettings settings;
  settings.level = level;
  return make_precision_policy(settings);
}

LossScaler used_scaler(const PrecisionPolicy& policy) {
  LossScaler scaler(policy.scaling().value());
  const GradientStatus good = GradientStatus::finite;
  const GradientStatus bad = GradientStatus::non_finite;
  scaler.update({&bad, 1});
  for (int i = 0; i < 7; ++i) scaler.update({&good, 1});
  scaler.add_fallback_layer("components.ner.model");
  return scaler;
}

TEST(Checkpoint, TheSequenceGoesOnAsIfNothingHadHappened) {
  const PrecisionPolicy policy = policy_at("O1");
  const LossScaler scaler = used_scaler(policy);
  const ResumedPrecision resumed = resume_precision(save_precision(policy, &scaler), policy);
  ASSERT_TRUE(resumed.scaler);
  EXPECT_EQ(resumed.scaler->state(), scaler.state());
  EXPECT_TRUE(resumed.from_masters);
  EXPECT_TRUE(resumed.notices.empty());
}

TEST(Checkpoint, WithoutAScalerThereIsNoScale) {
  const PrecisionPolicy policy = policy_at("O0");
  const Object saved = save_precision(policy, nullptr);
  EXPECT_FALSE(saved.contains("scale"));
  EXPECT_FALSE(resume_precision(saved, policy).scaler);
}

TEST(Checkpoint, AnotherLevelIsAllowedAndSaid) {
  const Object saved = save_precision(policy_at("O0"), nullptr);
  const ResumedPrecision resumed = resume_precision(saved, policy_at("O2"));
  EXPECT_EQ(resumed.scaler->scale(), 65536.0F);
  ASSERT_EQ(resumed.notices.size(), 1U);
  EXPECT_EQ(resumed.notices[0].str(),
            "precision: checkpoint was O0, run is O2; weights taken from masters, scale 65536 "
            "[P030]");
  const LossScaler scaler{policy_at("O3").scaling().value()};
  const Object pure = save_precision(policy_at("O3"), &scaler);
  const ResumedPrecision widened = resume_precision(pure, policy_at("O0"));
  EXPECT_FALSE(widened.from_masters);
  ASSERT_EQ(widened.notices.size(), 1U);
  EXPECT_EQ(widened.notices[0].str(),
            "precision: checkpoint was O3, run is O0; weights taken from weights, scale 1 [P030]");
}

TEST(Checkpoint, AScaleThatWasFixedIsNoStartForOneThatChanges) {
  PrecisionSettings settings;
  settings.level = "O2";
  settings.loss_scale = 128.0;
  const PrecisionPolicy fixed = make_precision_policy(settings);
  const LossScaler scaler = used_scaler(fixed);
  const Object saved = save_precision(fixed, &scaler);
  const ResumedPrecision dynamic = resume_precision(saved, policy_at("O2"));
  EXPECT_EQ(dynamic.scaler->scale(), 65536.0F);
  EXPECT_EQ(dynamic.scaler->state().growth_tracker, 0);
  EXPECT_EQ(dynamic.scaler->state().skipped_total, scaler.state().skipped_total);
  EXPECT_EQ(dynamic.scaler->state().fallback_layers, scaler.state().fallback_layers);
  // Goes on exactly at its own settings.
  EXPECT_EQ(resume_precision(saved, fixed).scaler->scale(), 128.0F);
}

TEST(Checkpoint, AnOverrideOfAFactorWorksOnResuming) {
  PrecisionSettings settings;
  settings.level = "O1";
  settings.growth_interval = 8;
  const LossScaler scaler = used_scaler(policy_at("O1"));
  const Object saved = save_precision(policy_at("O1"), &scaler);
  ResumedPrecision resumed = resume_precision(saved, make_precision_policy(settings));
  const GradientStatus good = GradientStatus::finite;
  EXPECT_EQ(resumed.scaler->update({&good, 1}).scale_after, 65536.0F);
}

TEST(Checkpoint, DamageIsReported) {
  const PrecisionPolicy policy = policy_at("O1");
  const LossScaler scaler = used_scaler(policy);
  const Object good = save_precision(policy, &scaler);
  const auto refuses = [&](const char* key, Node value) {
    Object bad = good;
    bad.set(key, std::move(value));
    EXPECT_THROW(resume_precision(bad, policy), Error) << key;
  };
  refuses("version", 2);
  refuses("level", 1);
  refuses("scale", -1.0);
  refuses("scale", "65536");
  refuses("growth_tracker", -1);
  refuses("growth_tracker", std::int64_t{1} << 40);
  refuses("skipped_total", 0.5);
  refuses("fallback_layers", "all");
  EXPECT_THROW(resume_precision(Object(), policy), Error);
}

TEST(Checkpoint, ForeignScalersGoOn) {
  Object pytorch;
  pytorch.set("scale", 64.0);
  pytorch.set("growth_factor", 3.0);
  pytorch.set("backoff_factor", 0.25);
  pytorch.set("growth_interval", 5);
  pytorch.set("_growth_tracker", 4);
  LossScaler scaler = resume_foreign_scaler(pytorch, {});
  const GradientStatus good = GradientStatus::finite;
  EXPECT_EQ(scaler.update({&good, 1}).scale_after, 192.0F);
  Object part;
  part.set("loss_scale", 256.0);
  part.set("unskipped", 1999);
  Object apex;
  apex.set("loss_scaler0", part);
  LossScaler from_apex = resume_foreign_scaler(apex, {});
  EXPECT_EQ(from_apex.update({&good, 1}).scale_after, 512.0F);
  EXPECT_THROW(resume_foreign_scaler(Object(), {}), Error);
}

}  // namespace
}  // namespace weft
