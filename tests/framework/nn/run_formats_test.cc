// A policy applied to a run: rules for ops, weights that become 16 bits wide, the ends of models.
#include "framework/nn/run_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/nn/model.h"
#include "framework/ops/gemm.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/softmax.h"
#include "registry/base/error.h"

namespace weft {
namespace {

PrecisionPolicy policy(const std::function<void(PrecisionSettings&)>& change) {
  PrecisionSettings settings;
  change(settings);
  return make_precision_policy(settings);
}

PrecisionPolicy policy_at(const std::string& level) {
  return policy([&](PrecisionSettings& settings) { settings.level = level; });
}

ModelPtr layer(const std::string& name) {
  auto model = std::make_shared<Model>(name, [](Context&, const Model&, const Value& x) {
    return Forward{x, {}};
  });
  model->set_param("W", Tensor::from<float>({2}, {1.0F + 0x1p-11F, 3.0F}));
  model->name_sites("part");
  return model;
}

template <class Op>
OpRule rule(const PrecisionPolicy& policy, std::string_view layer = "components.x.model") {
  return RunFormats(policy).rule_of(slot_of<Op>(), layer);
}

TEST(RunFormats, CastWhereThePolicyCastsOrRoundsGemms) {
  EXPECT_FALSE(RunFormats(policy_at("O0")).casts());
  for (const char* level : {"O1", "O2", "O3", "bf16", "tf32"}) {
    EXPECT_TRUE(RunFormats(policy_at(level)).casts()) << level;
  }
}

TEST(RunFormats, ProductsTakeLowInputsAtEveryLowLevel) {
  for (const char* level : {"O1", "O2", "O3"}) {
    EXPECT_EQ(rule<Gemm>(policy_at(level)).input, OpRule::Input::low) << level;
    EXPECT_TRUE(rule<Gemm>(policy_at(level)).low_weights) << level;
  }
  EXPECT_EQ(rule<Gemm>(policy_at("O0")).input, OpRule::Input::keep);
  EXPECT_EQ(rule<Gemm>(policy_at("tf32")).input, OpRule::Input::tf32);
}

TEST(RunFormats, OtherOpsTakeWhatTheyGetAtO2AndF32AtO1) {
  EXPECT_EQ(rule<LayerNormForward>(policy_at("O1")).input, OpRule::Input::f32);
  EXPECT_EQ(rule<LayerNormForward>(policy_at("O2")).input, OpRule::Input::keep);
  EXPECT_EQ(rule<SoftmaxForward>(policy_at("O2")).input, OpRule::Input::f32);
  EXPECT_EQ(rule<SoftmaxForward>(policy_at("O2")).result, OpRule::Result::f32);
}

TEST(RunFormats, RulesReachTheirLayersAlone) {
  const PrecisionPolicy ruled = policy([](PrecisionSettings& settings) {
    settings.level = "O2";
    settings.rules = {{{"match", "components.*.here"}, {"compute", "f32"}}};
  });
  const OpRule here = rule<Gemm>(ruled, "components.x.here");
  EXPECT_EQ(here.input, OpRule::Input::f32);
  EXPECT_FALSE(here.low_weights);
  EXPECT_TRUE(here.wide_gradients);
  EXPECT_EQ(rule<Gemm>(ruled, "components.x.there").input, OpRule::Input::low);
}

TEST(RunFormats, ALayerFallsBackWithoutARule) {
  RunFormats formats(policy_at("O1"));
  formats.compute_in_f32("components.x.model");
  EXPECT_EQ(formats.rule_of(slot_of<Gemm>(), "components.x.model").input, OpRule::Input::f32);
  EXPECT_EQ(formats.rule_of(slot_of<Gemm>(), "components.y.model").input, OpRule::Input::low);
}

TEST(RunFormats, WeightsAreNarrowedWithoutMastersAlone) {
  for (const auto& [level, type] : {std::pair("O0", DType::f32), std::pair("O1", DType::f32),
                                    std::pair("O2", DType::f32), std::pair("O3", DType::f16)}) {
    const ModelPtr model = layer("linear");
    const std::uint64_t version = model->param("W").version;
    RunFormats formats(policy_at(level));
    formats.add(*model);
    formats.narrow_weights();
    EXPECT_EQ(model->param("W").value.dtype(), type) << level;
    EXPECT_EQ(model->param("W").version != version, type == DType::f16) << level;
    EXPECT_EQ(formats.has_low_weights(), type == DType::f16) << level;
    formats.widen_weights();
    EXPECT_EQ(model->param("W").value.dtype(), DType::f32) << level;
    // A tie, which goes to the even neighbour; the number that was lost does not come back.
    EXPECT_EQ(model->param("W").value.data<float>()[0], type == DType::f16 ? 1.0F : 1.0F + 0x1p-11F)
        << level;
    EXPECT_FALSE(formats.has_low_weights());
  }
}

TEST(RunFormats, NormsHaveCopiesWhereTheyAreNotKept) {
  for (const bool keep : {true, false}) {
    const ModelPtr norm = layer("scaled");
    norm->param("W").kind = ParameterKind::norm;
    RunFormats formats(policy([&](PrecisionSettings& settings) {
      settings.level = "O2";
      settings.keep_norm_fp32 = keep;
    }));
    formats.add(*norm);
    EXPECT_EQ(formats.copies().find(norm->param("W").value.cview().data) == nullptr, keep);
  }
}

TEST(RunFormats, TheEndsOfWholeModelsAreCastAtO2AndO3) {
  const ModelPtr root = layer("linear"), other = layer("linear");
  for (const auto& [level, casts] : {std::pair("O0", false), std::pair("O1", false),
                                     std::pair("O2", true), std::pair("O3", true)}) {
    RunFormats formats(policy_at(level));
    formats.add(*root);
    EXPECT_EQ(formats.casts_ends_of(*root), casts) << level;
    EXPECT_FALSE(formats.casts_ends_of(*other)) << level;
    EXPECT_EQ(formats.output_type(), DType::f32) << level;
  }
  const PrecisionPolicy low = policy([](PrecisionSettings& settings) {
    settings.level = "O3";
    settings.dtype = LowFormat::bf16;
    settings.cast_model_outputs = Width::low;
  });
  EXPECT_EQ(RunFormats(low).output_type(), DType::bf16);
}

TEST(RunFormats, GradientsAreLowAtO3AndWhereAskedFor) {
  for (const char* level : {"O0", "O1", "O2", "tf32"}) {
    EXPECT_EQ(RunFormats(policy_at(level)).gradient_type(), DType::f32) << level;
  }
  EXPECT_EQ(RunFormats(policy_at("O3")).gradient_type(), DType::f16);
  const PrecisionPolicy low = policy([](PrecisionSettings& settings) {
    settings.level = "O2";
    settings.dtype = LowFormat::bf16;
    settings.grad_dtype = Width::low;
  });
  EXPECT_EQ(RunFormats(low).gradient_type(), DType::bf16);
}

}  // namespace
}  // namespace weft
