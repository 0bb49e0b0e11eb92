// The effect of each level on a weight, element by element (docs/precision.md, "Levels").
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/nn/model_file.h"
#include "framework/precision/element_type.h"
#include "framework/tensor/rounding.h"
#include "registry/base/error.h"
#include "tests/components/precision/planted.h"

namespace weft {
namespace {

using ::testing::HasSubstr;
using testing::one_weight;
using testing::PlantedRun;

constexpr float kInf = std::numeric_limits<float>::infinity();

std::string level(const std::string& name, const std::string& more = "") {
  return "level = \"" + name + "\"\n" + more;
}

float as_fp16(float value) {
  return f32_from_f16(f16_from_f32(value));
}

TEST(LevelO0, HasNoScalerAndNoFormats) {
  PlantedRun run(level("O0"));
  EXPECT_EQ(run.session().scaler(), nullptr);
  EXPECT_EQ(run.session().formats(), nullptr);
  EXPECT_TRUE(run.session().state().is_null());
  EXPECT_TRUE(run.session().log_line().empty());
  run.step({0.5F});
  EXPECT_EQ(run.weight(), 0.5F);
  EXPECT_THROW(run.step({kInf}), Error);
  EXPECT_EQ(run.weight(), 0.5F);  // nothing was applied
  EXPECT_TRUE(run.notices.empty());
}

TEST(LevelO0, SkipsNonFiniteGradientsIfAskedTo) {
  PlantedRun run(level("O0", "check_gradients = true\n"));
  run.step({kInf});
  EXPECT_EQ(run.weight(), 1.0F);
  run.step({0.5F});
  EXPECT_EQ(run.weight(), 0.5F);
  EXPECT_EQ(run.codes(), "P025 ");
}

TEST(LevelO0, SkippingWithoutEndStopsTheRun) {
  PlantedRun run(level("O0",
                       "check_gradients = true\nmax_consecutive_skips = 3\n"
                       "on_divergence = \"fallback_fp32\"\n"));
  run.steps(2, kInf);
  EXPECT_THROW(run.step({kInf}), Error);
}

TEST(LevelO1, WeightsAndGradientsStayF32) {
  PlantedRun run(level("O1"));
  run.step({0.25F});
  EXPECT_EQ(run.param("W").value.dtype(), DType::f32);
  EXPECT_EQ(run.component().output_type, DType::f16);
  EXPECT_EQ(run.weight(), 0.75F);
}

TEST(LevelO1, ASmallGradientSurvivesWithScalingAndNotWithAScaleOfOne) {
  PlantedRun scaled(level("O1"), 0.0F);
  scaled.step({1e-8F});
  EXPECT_NEAR(scaled.weight(), -1e-8F, 1e-11F);
  PlantedRun plain(level("O1", "loss_scale = 1.0\n"), 0.0F);
  plain.step({1e-8F});
  EXPECT_EQ(plain.weight(), 0.0F);
  EXPECT_THAT(plain.codes(), HasSubstr("P006"));
}

TEST(LevelO1, APlantedOverflowIsSkippedOnceNamedAndRecoveredFrom) {
  PlantedRun run(level("O1"));
  run.step({0.25F});
  run.step({kInf});
  EXPECT_EQ(run.weight(), 0.75F);
  run.step({0.25F});
  EXPECT_EQ(run.weight(), 0.5F);
  const LossScalerState& state = run.session().scaler()->state();
  EXPECT_EQ(state.scale, 32768.0F);
  EXPECT_EQ(state.skipped_total, 1);
  EXPECT_EQ(state.skipped_in_a_row, 0);
  EXPECT_EQ(state.applied_total, 2);
  ASSERT_EQ(run.codes(), "P025 ");
  EXPECT_THAT(run.notices.back().str(), HasSubstr("planted/0/linear/W"));
}

TEST(LevelO1, TheScaleFallsUntilGradientsFit) {
  PlantedRun run(level("O1"));
  run.steps(6, 2.0F);  // 131072, 65536: beyond fp16; 32768 fits
  EXPECT_EQ(run.session().scaler()->state().skipped_total, 2);
  EXPECT_EQ(run.session().scaler()->scale(), 16384.0F);
  EXPECT_EQ(run.weight(), 1.0F - 4 * 2.0F);
}

TEST(LevelO1, OneCastForEachParameterAndAppliedStep) {
  PlantedRun run(level("O1"));
  run.step({0.25F, 0.25F});  // forward and back, twice
  // Those of W and b for the first pass, and those that the optimizer wrote for the next step.
  EXPECT_EQ(run.session().formats()->copies().casts(), 4);
  run.step({kInf});
  EXPECT_EQ(run.session().formats()->copies().casts(), 4);
  run.step({0.25F});  // after a skipped step the copies are still good
  EXPECT_EQ(run.session().formats()->copies().casts(), 6);
}

TEST(LevelO1, AStaleCopyIsAnError) {
  PlantedRun run(level("O1"));
  run.step({0.25F});
  RunFormats& formats = *run.session().formats();
  formats.copies().refresh();
  Parameter& weight = run.model().param("W");
  EXPECT_NE(formats.copies().find(weight.value.cview().data), nullptr);
  ++weight.version;
  try {
    formats.copies().find(weight.value.cview().data);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("P090"));
    EXPECT_THAT(error.message(), HasSubstr("components.planted.model.W"));
  }
}

TEST(LevelO2, SmallUpdatesMoveMasterAndCopy) {
  PlantedRun run(level("O2"), 1.0F, testing::sgd(2e-4));
  for (int i = 0; i < 64; ++i) {
    run.step({0.5F});
    EXPECT_EQ(run.used_weight(), as_fp16(run.weight())) << i;
  }
  EXPECT_NEAR(run.weight(), 0.9936F, 64 * 0x1p-24F);  // a rounding each step
  EXPECT_NE(run.used_weight(), 1.0F);
  EXPECT_EQ(run.param("W").value.dtype(), DType::f32);
}

TEST(LevelO2, FilesHoldTheMasters) {
  PlantedRun run(level("O2"), 1.0F, testing::sgd(2e-4));
  run.steps(3, 0.5F);
  const float master = run.weight();
  EXPECT_NE(master, as_fp16(master));
  const ModelPtr read = one_weight(0.0F);
  model_from_bytes(*read, model_to_bytes(run.model()), "test");
  EXPECT_EQ(read->param("W").value.data<float>()[0], master);
}

TEST(LevelO2, AveragesAreThoseOfTheMasters) {
  const std::string slow = testing::sgd(2e-4);
  PlantedRun low(level("O2"), 1.0F, slow), wide(level("O0"), 1.0F, slow);
  low.steps(20, 0.5F);
  wide.steps(20, 0.5F);
  const auto average = [](PlantedRun& run) {
    return run.optimizer().states().at("planted/0/linear/W").average.data<float>()[0];
  };
  EXPECT_EQ(average(low), average(wide));
}

TEST(LevelO2, NormParametersStayF32) {
  const ModelPtr norm = layers::layer_norm(2);
  norm->set_param("G", Tensor::from<float>({2}, {1.0001F, 1.0F}));
  norm->set_param("b", Tensor::zeros({2}));
  norm->name_sites("norm");
  PrecisionSettings settings;
  settings.level = "O2";
  RunFormats formats(make_precision_policy(settings));
  formats.add(*norm);
  EXPECT_EQ(formats.copies().find(norm->param("G").value.cview().data), nullptr);
  settings.level = "O3";
  RunFormats pure(make_precision_policy(settings));
  pure.add(*norm);
  pure.narrow_weights();
  EXPECT_EQ(norm->param("G").value.dtype(), DType::f16);
}

TEST(LevelO3, TheSameUpdatesMoveNothing) {
  PlantedRun run(level("O3"), 1.0F, testing::sgd(2e-4));
  run.steps(64, 0.5F);
  EXPECT_EQ(run.weight(), 1.0F);
  EXPECT_EQ(run.param("W").value.dtype(), DType::f16);
  EXPECT_EQ(run.param("b").value.dtype(), DType::f16);
  EXPECT_EQ(run.session().scaler()->scale(), 1.0F);
}

TEST(LevelO3, LargerUpdatesAreRoundedAndAveragesAreNot) {
  PlantedRun run(level("O3"), 1.0F, testing::sgd(1e-3));
  run.step({1.0F});
  EXPECT_EQ(run.weight(), as_fp16(0.999F));
  const Tensor& average = run.optimizer().states().at("planted/0/linear/W").average;
  EXPECT_EQ(average.dtype(), DType::f32);
  EXPECT_NEAR(average.data<float>()[0], 0.999F * (1.0F - 2.0F / 11.0F), 1e-6F);
}

TEST(LevelO3, IsFiniteAfterTheFirstStepWithASmallEps) {
  for (const char* more : {"", "optimizer_state = \"low\"\n"}) {
    PlantedRun run(level("O3", more), 1.0F,
                   "@optimizers = \"Adam.v1\"\nlearn_rate = 0.01\neps = 1e-8\n");
    run.step({1e-5F});
    run.step({1e-5F});
    EXPECT_TRUE(std::isfinite(run.weight())) << more;
    const bool low = *more != '\0';
    EXPECT_EQ(run.codes().find("P007") != std::string::npos, low);
    const OptimizerState& state = run.optimizer().states().at("planted/0/linear/W");
    EXPECT_EQ(state.mom1.dtype(), low ? DType::f16 : DType::f32);
    EXPECT_EQ(state.mom2.dtype(), low ? DType::f16 : DType::f32);
  }
}

// One weight is not much, but bytes are bytes.
std::size_t bytes_of_gradients(PlantedRun& run) {
  Example example = Example::from_reference(Doc::from_words(run.nlp().vocab(), {"one", "word"}));
  Example* const batch[] = {&example};
  run.component().gradients = {0.5F};
  run.runner().accumulate(batch, 0.0, 0);
  const std::size_t bytes = run.runner().gradients().bytes();
  run.runner().gradients().clear();
  return bytes;
}

TEST(LevelO3, WeightsAndGradientsTakeHalfOfTheBytes) {
  const auto bytes_at = [](const std::string& settings) {
    PlantedRun run(settings);
    const std::size_t gradients = bytes_of_gradients(run);
    return std::pair(run.param("W").value.bytes() + run.param("b").value.bytes(), gradients);
  };
  const auto wide = bytes_at(level("O0")), low = bytes_at(level("O3"));
  EXPECT_EQ(wide, (std::pair<std::size_t, std::size_t>(8, 8)));
  EXPECT_EQ(low, (std::pair<std::size_t, std::size_t>(4, 4)));
  EXPECT_EQ(bytes_at(level("O2")).second, 8U);
  EXPECT_EQ(bytes_at(level("O2", "grad_dtype = \"low\"\n")).second, 4U);
  EXPECT_EQ(bytes_at(level("O2", "grad_dtype = \"low\"\n")).first, 8U);  // the masters
}

TEST(LowGradients, AreUnscaledInF32) {
  // 2^-26 is no number of fp16, but 2^-10 is, which is what is stored.
  PlantedRun run(level("O2", "grad_dtype = \"low\"\n"), 0.0F);
  run.step({0x1p-26F});
  EXPECT_EQ(run.weight(), -0x1p-26F);
}

TEST(LowGradients, OverflowWhereF32OnesWouldNot) {
  for (const auto& [format, applied] : {std::pair("f32", true), std::pair("low", false)}) {
    PlantedRun run(level("O2", std::string("grad_dtype = \"") + format + "\"\n"));
    run.component().input = 3.0F;  // dy fits fp16, three times dy does not
    run.step({0.5F});
    EXPECT_EQ(run.weight(), applied ? -0.5F : 1.0F) << format;
    EXPECT_EQ(run.codes(), applied ? "" : "P025 ") << format;
  }
}

TEST(LowGradients, PartsOfAStepAddUp) {
  PlantedRun run(level("O3"), 10.0F);
  run.step({1.0F, 2.0F, 3.0F});
  EXPECT_EQ(run.weight(), 4.0F);
}

TEST(LowGradients, HooksSeeAndWriteF32) {
  PlantedRun run(level("O2", "grad_dtype = \"low\"\n"), 0.0F);
  std::vector<float> seen;
  run.training_step().add_gradient_hook(
      [&](std::span<const NamedParameter> all, Gradients& gradients) {
        const auto numbers = gradients.numbers(*all.front().parameter);
        seen.push_back(numbers[0]);
        numbers[0] = 0x1p-40F;
      });
  run.step({0x1p-26F});
  EXPECT_EQ(seen, std::vector<float>{0x1p-26F});
  EXPECT_EQ(run.weight(), -0x1p-40F);
  run.step({0x1p-26F});
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_EQ(run.runner().gradients().type(), DType::f16);
}

TEST(LowGradients, AreClippedByTheirUnscaledNorm) {
  PlantedRun run(level("O2", "grad_dtype = \"low\"\n"), 1.0F,
                 testing::sgd(1.0, "grad_clip = 1.0\n"));
  run.step({0.5F});
  EXPECT_EQ(run.weight(), 0.5F);
}

TEST(LevelO3, WeightsAreF32AgainAfterTheRun) {
  PlantedRun run(level("O3"));
  run.step({0.25F});
  run.start(level("O0"));
  EXPECT_EQ(run.param("W").value.dtype(), DType::f32);
  EXPECT_EQ(run.nlp().formats(), nullptr);
}

TEST(Bf16, TinyGradientsSurviveWithoutScaling) {
  for (const char* name : {"bf16", "O2"}) {
    PlantedRun run(level(name, "dtype = \"bf16\"\n"), 0.0F);
    run.steps(3, 1e-30F);
    EXPECT_NEAR(run.weight() / -3e-30F, 1.0F, 1e-2F) << name;
    EXPECT_EQ(run.session().scaler(), nullptr) << name;
    EXPECT_EQ(run.component().output_type, std::string(name) == "O2" ? DType::f32 : DType::bf16)
        << name;
    EXPECT_EQ(run.codes(), "") << name;
  }
}

TEST(Tf32, OnlyProductsRoundTheirInputs) {
  PlantedRun run(level("tf32"), 1.0F + 0x1p-12F);
  Context ctx;
  ctx.follow(run.session().formats());
  const Tensor x = Tensor::from<float>({1, 1}, {1.0F});
  const Value y = run.model().predict(ctx, x);
  EXPECT_EQ(as_tensor(y).data<float>()[0], 1.0F);
  const ModelPtr sum = layers::add({layers::noop(), layers::noop()});
  const Tensor near = Tensor::from<float>({1, 1}, {1.0F + 0x1p-12F});
  EXPECT_EQ(as_tensor(sum->predict(ctx, near)).data<float>()[0], 2.0F + 0x1p-11F);
  Context plain;
  EXPECT_EQ(as_tensor(run.model().predict(plain, x)).data<float>()[0], 1.0F + 0x1p-12F);
}

TEST(ModelOutputs, AreF32AtO2AndO3UnlessTheyAreToBeLow) {
  for (const char* name : {"O2", "O3"}) {
    PlantedRun wide(level(name)), low(level(name, "cast_model_outputs = \"low\"\n"));
    wide.step({0.25F});
    low.step({0.25F});
    EXPECT_EQ(wide.component().output_type, DType::f32) << name;
    EXPECT_EQ(low.component().output_type, DType::f16) << name;
    EXPECT_EQ(wide.weight(), 0.75F);
    EXPECT_EQ(low.weight(), 0.75F);
  }
}

TEST(ModelInputs, AreCastWhereTheyEnterAtO2) {
  DType seen = DType::u8;
  const auto probe = std::make_shared<Model>("probe", [&](Context&, const Model&, const Value& x) {
    seen = as_tensor(x).dtype();
    return Forward{x, [](Context&, const Value& dy) { return dy; }};
  });
  for (const auto& [name, type] : {std::pair("O0", DType::f32), std::pair("O1", DType::f32),
                                   std::pair("O2", DType::f16), std::pair("bf16", DType::f32)}) {
    PlantedRun run(level(name), 1.0F, testing::sgd(1.0), probe);
    run.step({0.25F});
    EXPECT_EQ(seen, type) << name;
  }
}

TEST(MasterWeights, CanBeLeftOutAtO2AndKeptAtO3) {
  PlantedRun without(level("O2", "master_weights = false\n"), 1.0F, testing::sgd(2e-4));
  without.steps(64, 0.5F);
  EXPECT_EQ(without.weight(), 1.0F);
  EXPECT_EQ(without.param("W").value.dtype(), DType::f16);
  PlantedRun with(level("O3", "master_weights = true\n"), 1.0F, testing::sgd(2e-4));
  with.steps(64, 0.5F);
  EXPECT_NEAR(with.weight(), 0.9936F, 64 * 0x1p-24F);
  EXPECT_EQ(with.param("W").value.dtype(), DType::f32);
}

TEST(KeepNorm, CanBeTurnedAtBothLevels) {
  for (const auto& [name, key, low] :
       {std::tuple("O2", "keep_norm_fp32", true), std::tuple("O2", "keep_batchnorm_fp32", true),
        std::tuple("O3", "keep_norm_fp32", false)}) {
    const ModelPtr norm = layers::layer_norm(2);
    norm->set_param("G", Tensor::from<float>({2}, {1.0001F, 1.0F}));
    norm->set_param("b", Tensor::zeros({2}));
    norm->name_sites("norm");
    PrecisionSettings settings;
    settings.level = name;
    (std::string(key) == "keep_norm_fp32" ? settings.keep_norm_fp32
                                          : settings.keep_batchnorm_fp32) = !low;
    RunFormats formats(make_precision_policy(settings));
    formats.add(*norm);
    EXPECT_EQ(formats.copies().find(norm->param("G").value.cview().data) != nullptr, low) << name;
  }
}

TEST(MatmulPrecision, AffectsProductsOfF32InputsAtEveryLevel) {
  // 1 + 2^-12 is a number of neither tf32 nor fp16.
  const auto product = [](const std::string& settings) {
    PlantedRun run(settings, 1.0F + 0x1p-12F);
    Context ctx;
    ctx.follow(run.session().formats());
    const Value y = run.model().predict(ctx, Tensor::from<float>({1, 1}, {1.0F}));
    return cast_to(DType::f32, as_tensor(y)).data<float>()[0];
  };
  const std::string in_f32 = "rules = [{\"match\": \"*\", \"compute\": \"f32\"}]\n";
  const std::string tf32 = "matmul_precision = \"tf32\"\n";
  EXPECT_EQ(product(level("O0")), 1.0F + 0x1p-12F);
  EXPECT_EQ(product(level("O0", tf32)), 1.0F);
  EXPECT_EQ(product(level("O1", in_f32)), 1.0F + 0x1p-12F);
  EXPECT_EQ(product(level("O1", in_f32 + tf32)), 1.0F);
}

TEST(GradNorm, ClipsAllGradientsTogetherAfterUnscaling) {
  // W and b have the same gradient, 3; the norm of both is 3 sqrt(2).
  const float moved = 1.0F / std::sqrt(2.0F);
  for (const char* more : {"", "grad_dtype = \"low\"\n"}) {
    for (const char* name : {"O0", "O1", "O2", "O3", "bf16"}) {
      PlantedRun run(level(name, std::string("grad_norm = 1.0\ninit_scale = 64.0\n") + more));
      run.step({3.0F});
      EXPECT_NEAR(run.weight(), 1.0F - moved, 1e-3F) << name << more;
    }
  }
  PlantedRun small(level("O1", "grad_norm = 8.0\ninit_scale = 64.0\n"));
  small.step({3.0F});
  EXPECT_EQ(small.weight(), -2.0F);
}

TEST(GradNorm, LeavesGradientsThatAreNoNumbersToWhoStopsTheRun) {
  PlantedRun run(level("O0", "grad_norm = 1.0\n"), 1.0F);
  EXPECT_THROW(run.step({kInf}), Error);
  EXPECT_EQ(run.weight(), 1.0F);
}

TEST(Bounds, HoldTheScaleFromBothSides) {
  PlantedRun low(level("O1", "init_scale = 4.0\nmin_loss_scale = 2.0\n"));
  low.steps(3, kInf);
  EXPECT_EQ(low.session().scaler()->scale(), 2.0F);
  PlantedRun high(level("O1",
                        "init_scale = 4.0\nmax_loss_scale = 16.0\ngrowth_interval = 1\n"
                        "growth_factor = 3.0\n"));
  high.steps(3, 0.01F);
  EXPECT_EQ(high.session().scaler()->scale(), 16.0F);
}

TEST(ReduceDtype, IsAcceptedAndChangesNothingWithOneRank) {
  PlantedRun run(level("O2", "reduce_dtype = \"low\"\n"), 1.0F, testing::sgd(2e-4));
  PlantedRun plain(level("O2"), 1.0F, testing::sgd(2e-4));
  run.steps(3, 0.5F);
  plain.steps(3, 0.5F);
  EXPECT_EQ(run.weight(), plain.weight());
  const bool noted = std::any_of(run.notices.begin(), run.notices.end(), [](const Notice& notice) {
    return notice.text == "precision: reduce_dtype has no effect: ranks add up in f32";
  });
  EXPECT_TRUE(noted);
}

TEST(Accumulation, GradientsOfPartsAreUnscaledOnce) {
  for (const char* name : {"O0", "O1", "O2", "bf16"}) {
    PlantedRun run(level(name, "init_scale = 1024.0\n"), 10.0F);
    run.step({1.0F, 2.0F, 3.0F});
    EXPECT_EQ(run.weight(), 4.0F) << name;
  }
}

TEST(Accumulation, AnOverflowInOnePartDropsTheWholeStep) {
  PlantedRun run(level("O1"), 10.0F);
  run.step({0.25F, kInf, 0.25F});
  EXPECT_EQ(run.weight(), 10.0F);
}

TEST(Clipping, SeesUnscaledGradients) {
  // Clipped while scaled, 0.5 would become 1 / 65536.
  for (const char* name : {"O0", "O1", "O2"}) {
    PlantedRun run(level(name), 1.0F, testing::sgd(1.0, "grad_clip = 1.0\n"));
    run.step({0.5F});
    EXPECT_EQ(run.weight(), 0.5F) << name;
  }
}

TEST(GradientHooks, SeeUnscaledGradientsOfAppliedSteps) {
  PlantedRun run(level("O1"));
  std::vector<float> seen;
  run.training_step().add_gradient_hook(
      [&](std::span<const NamedParameter> all, Gradients& gradients) {
        const auto numbers = gradients.numbers(*all.front().parameter);
        seen.push_back(numbers[0]);
        numbers[0] *= 2.0F;
      });
  run.step({0.25F});
  run.step({kInf});
  EXPECT_EQ(seen, std::vector<float>{0.25F});
  EXPECT_EQ(run.weight(), 0.5F);
}

TEST(GradientHooks, WhatTheyWriteIsCheckedAgain) {
  PlantedRun run(level("O1"));
  run.training_step().add_gradient_hook(
      [](std::span<const NamedParameter> all, Gradients& gradients) {
        gradients.numbers(*all.front().parameter)[0] = kInf;
      });
  run.step({0.25F});
  EXPECT_EQ(run.weight(), 1.0F);
  EXPECT_EQ(run.codes(), "P025 ");
}

}  // namespace
}  // namespace weft
