// Every message of the policy in the scenario that it is for, with its text
// (docs/precision.md, "Messages").
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/nn/model_file.h"
#include "framework/nn/run_formats.h"
#include "framework/ops/elementwise.h"
#include "framework/precision/capability.h"
#include "framework/precision/ranks.h"
#include "framework/training/precision_plan.h"
#include "framework/training/profile_gain.h"
#include "registry/base/error.h"
#include "tests/components/precision/planted.h"

namespace weft {
namespace {

using ::testing::Contains;
using ::testing::ElementsAreArray;
using testing::PlantedRun;
using Texts = std::vector<std::string>;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Texts texts_of(const Notices& notices) {
  Texts texts;
  for (const Notice& notice : notices) texts.push_back(notice.str());
  return texts;
}

// The messages about the settings of the block alone.
Texts said_of(const std::function<void(PrecisionSettings&)>& change) {
  PrecisionSettings settings;
  change(settings);
  Notices notices;
  resolve_precision(settings, notices);
  return texts_of(notices);
}

PrecisionPolicy policy_at(const std::string& level) {
  PrecisionSettings settings;
  settings.level = level;
  return make_precision_policy(settings);
}

// The messages of a run that takes steps with these gradients, and the error that ends it.
Texts said_in_run(PlantedRun& run, const std::vector<float>& steps) {
  try {
    for (const float gradient : steps) run.step({gradient});
  } catch (const Error& error) {
    Texts texts = texts_of(run.notices);
    texts.push_back(error.message());
    return texts;
  }
  return texts_of(run.notices);
}

Texts said_in_run(const std::string& settings, const std::vector<float>& steps) {
  PlantedRun run(settings);
  return said_in_run(run, steps);
}

// ---- ops of a plugin

void copy(Stream&, ConstView x, View y) {
  for (std::int64_t i = 0; i < y.size(); ++i) y.as<float>()[i] = x.as<float>()[i];
}
struct NobodysOp {
  static constexpr std::string_view name = "nobodys.v1";
  using Fn = void(Stream&, ConstView x, View y);
};
struct Bf16Op {
  static constexpr std::string_view name = "bf16_only.v1";
  static constexpr Category category = Category::low;
  static constexpr std::array formats = {NumberFormat::f32, NumberFormat::bf16};
  using Fn = void(Stream&, ConstView x, View y);
};
struct LateOp {
  static constexpr std::string_view name = "late.v1";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, ConstView x, View y);
};
const KernelRegistration<NobodysOp> nobodys{DeviceKind::cpu, copy};
const KernelRegistration<Bf16Op> bf16_only{DeviceKind::cpu, copy};

template <class Op>
Texts said_of_op(const std::string& level) {
  RunFormats formats(policy_at(level));
  Context ctx;
  ctx.follow(&formats);
  Tensor y = Tensor::zeros({1, 1});
  ctx.run<Op>(Tensor::from<float>({1, 1}, {1.0F}), y.view());
  return texts_of(formats.take_notices());
}

Texts said_of_late_op() {
  RunFormats formats(policy_at("O1"));
  const KernelRegistration<LateOp> late{DeviceKind::cpu, copy};
  Context ctx;
  ctx.follow(&formats);
  Tensor y = Tensor::zeros({1, 1});
  try {
    ctx.run<LateOp>(Tensor::zeros({1, 1}), y.view());
  } catch (const Error& error) {
    return {error.message()};
  }
  return {};
}

// ---- other scenarios

Texts said_of_gpu(const std::string& level, int major, int minor, bool units) {
  return texts_of(check_device(policy_at(level),
                               {DeviceProperties::Kind::cuda, "Some GPU", major, minor, units}));
}

Texts said_without_gradients() {
  PlantedRun run("level = \"O1\"\n");
  run.runner().choose({"planted"}, {});
  return said_in_run(run, {0.25F, 0.25F});
}

Texts said_of_loss(double loss) {
  PlantedRun run("level = \"O1\"\n");
  run.component().loss = loss;
  return said_in_run(run, {0.25F});
}

Texts said_on_resuming() {
  PlantedRun run("level = \"O3\"\n");
  const Node saved = run.session().state();
  run.start("level = \"O2\"\n");
  run.session().restore(saved);
  return texts_of(run.notices);
}

Texts said_on_saving() {
  const ModelPtr model = testing::one_weight(65536.0F);
  model->name_sites("ner");
  model->save_as(DType::f16);
  try {
    model_to_bytes(*model);
  } catch (const Error& error) {
    return {error.message()};
  }
  return {};
}

Texts said_of_early_reader() {
  PlantedRun run("level = \"O1\"\n");
  run.component().at_end = [&run](Batch& batch) {
    static_cast<void>(batch.gradients->find(run.param("W")));
  };
  return said_in_run(run, {0.25F, 0.25F});
}

// A layer that gives bf16 whatever the run does.
ModelPtr stubborn_layer() {
  return std::make_shared<Model>("stubborn", [](Context& ctx, const Model&, const Value& x) {
    Tensor y = ctx.result_in(DType::bf16, as_tensor(x).shape());
    ctx.run<CopyRows>(as_tensor(x), y.view());
    return Forward{y, [](Context&, const Value& dy) { return dy; }};
  });
}

Texts said_in_plan(ModelPtr model) {
  PlantedRun run("level = \"O0\"\n", 1.0F, testing::sgd(1.0), std::move(model));
  Example example = Example::from_reference(Doc::from_words(run.nlp().vocab(), {"word"}));
  Example* const batch[] = {&example};
  run.component().gradients = {0.5F};
  return texts_of(plan_pipeline(run.nlp(), policy_at("O2"), batch, {}).notices);
}

Texts said_of_stale_copy() {
  PlantedRun run("level = \"O2\"\n");
  run.step({0.25F});
  RunFormats& formats = *run.session().formats();
  formats.copies().refresh();
  Parameter& weight = run.model().param("W");
  ++weight.version;
  try {
    formats.copies().find(weight.value.cview().data);
  } catch (const Error& error) {
    return {error.message()};
  }
  return {};
}

struct Scenario {
  std::string code, text;
  std::function<Texts()> play;
};

const std::vector<Scenario>& scenarios();

class Messages : public ::testing::TestWithParam<Scenario> {};

TEST_P(Messages, FireInTheirScenario) {
  const Scenario& scenario = GetParam();
  const std::string whole = "precision: " + scenario.text + " [" + scenario.code + "]";
  const Texts texts = scenario.play();
  EXPECT_THAT(texts, Contains(whole).Times(1));
}

std::string name_of_scenario(const ::testing::TestParamInfo<Scenario>& info) {
  return info.param.code + "_" + std::to_string(info.index);
}
INSTANTIATE_TEST_SUITE_P(All, Messages, ::testing::ValuesIn(scenarios()), name_of_scenario);

TEST(MessageTable, NoCodeIsWithoutAScenario) {
  const Texts codes = {"P001", "P002", "P003", "P004", "P005", "P006", "P007", "P008",
                       "P010", "P011", "P012", "P020", "P021", "P022", "P023", "P024",
                       "P025", "P026", "P027", "P030", "P031", "P040", "P041", "P050",
                       "P051", "P060", "P061", "P070", "P090"};
  std::set<std::string> played;
  for (const Scenario& scenario : scenarios()) played.insert(scenario.code);
  EXPECT_THAT(played, ElementsAreArray(codes));
}

// ---- the table

const char* const kAdam = "@optimizers = \"Adam.v1\"\nlearn_rate = 0.01\n";

Texts said_with_optimizer(const std::string& settings, const std::string& optimizer) {
  PlantedRun run(settings, 1.0F, optimizer);
  return texts_of(run.notices);
}

std::vector<Scenario> of_settings() {
  return {
      {"P001", "unknown level \"01\"; use O0, O1, O2, O3 (letter O), fp32, tf32 or bf16",
       [] { return Texts{FieldConversion<LevelChoice>::fault("01")}; }},
      {"P002",
       "O1 casts inputs of ops, not weights; cast_model_type must stay unset (use O2 or O3)",
       [] {
         return said_of([](auto& s) {
           s.level = "O1";
           s.cast_model_type = Width::low;
         });
       }},
      {"P003", "master_weights has no meaning at O1, where weights are f32",
       [] {
         return said_of([](auto& s) {
           s.level = "O1";
           s.master_weights = true;
         });
       }},
      {"P003", "keep_norm_fp32 has no meaning at O1, where weights are f32",
       [] {
         return said_of([](auto& s) {
           s.level = "bf16";
           s.keep_norm_fp32 = true;
         });
       }},
      {"P004", "patch_ops belongs to O1",
       [] {
         return said_of([](auto& s) {
           s.level = "O2";
           s.patch_ops = true;
         });
       }},
      {"P005", "dynamic loss scaling is not needed with bf16",
       [] {
         return said_of([](auto& s) {
           s.level = "bf16";
           s.loss_scale = "dynamic";
         });
       }},
      {"P005", "dynamic loss scaling is not needed with f32",
       [] { return said_of([](auto& s) { s.loss_scale = "dynamic"; }); }},
      {"P006", "fp16 without loss scaling; gradients below 6e-8 become zero",
       [] {
         return said_of([](auto& s) {
           s.level = "O2";
           s.loss_scale = 1.0;
         });
       }},
      {"P008", "growth_interval = 0 is out of range (at least 1)",
       [] { return said_of([](auto& s) { s.growth_interval = 0; }); }},
      {"P008", "grad_norm = -1 is out of range (at least 0)",
       [] { return said_of([](auto& s) { s.grad_norm = -1.0; }); }},
  };
}

std::vector<Scenario> of_ops_and_devices() {
  const auto gpu = said_of_gpu;
  return {
      {"P010", "op nobodys.v1 has no declared category; running in f32",
       [] { return said_of_op<NobodysOp>("O1"); }},
      {"P011", "op late.v1 registered after the model was built", said_of_late_op},
      {"P012", "op bf16_only.v1 has no fp16 kernel; running in f32",
       [] { return said_of_op<Bf16Op>("O1"); }},
      {"P020", "Some GPU (compute capability 7.5) does not support bf16 at O1; minimum 8.0",
       [gpu] { return gpu("bf16", 7, 5, true); }},
      {"P021", "Some GPU has no fp16 matrix units; O2 saves memory but may be slower than O0",
       [gpu] { return gpu("O2", 7, 5, false); }},
      {"P023", "CPU backend emulates bf16; results match the policy, speed does not",
       [] { return said_in_run("level = \"O2\"\ndtype = \"bf16\"\n", {}); }},
      {"P041", "components.planted.model.W padded 1 -> 8",
       [] { return said_in_plan(testing::one_weight(1.0F)); }},
      {"P061", "components.planted.model sets its own dtype bf16",
       [] { return said_in_plan(stubborn_layer()); }},
      {"P070",
       "16-bit products are 10 % of step time; O1 cannot help much here (largest: "
       "softmax_forward 90 %)",
       [] {
         return texts_of(check_gain(policy_at("O1"),
                                    std::vector<OpShare>{{"a", "gemm", 1, 0.1, 9, 9},
                                                         {"a", "softmax_forward", 1, 0.9, 0, 9}}));
       }},
      {"P090", "internal error: stale low copy of components.planted.model.W", said_of_stale_copy},
  };
}

std::vector<Scenario> of_constants() {
  return {
      {"P007", "eps 1e-08 is not representable in 16-bit state; using 0.0001220703125",
       [] { return said_with_optimizer("level = \"O3\"\noptimizer_state = \"low\"\n", kAdam); }},
      {"P050", "training.optimizer.eps = 1e-08 is below the smallest fp16 value; applied in f32",
       [] { return said_with_optimizer("level = \"O1\"\n", kAdam); }},
      {"P050",
       "training.optimizer.grad_clip = 1e-12 is below the smallest fp16 value; applied in f32",
       [] {
         return said_with_optimizer("level = \"O3\"\n", testing::sgd(0.1, "grad_clip = 1e-12\n"));
       }},
      {"P051", "training.optimizer.grad_clip = 1000000 is beyond 65504; applied in f32",
       [] {
         return said_with_optimizer("level = \"O2\"\n", testing::sgd(0.1, "grad_clip = 1e6\n"));
       }},
      {"P051", "training.precision.grad_norm = 100000 is beyond 65504; applied in f32",
       [] { return said_in_run("level = \"O2\"\ngrad_norm = 1e5\n", {}); }},
  };
}

std::vector<Scenario> of_training() {
  const std::string two = "level = \"O1\"\nmax_consecutive_skips = 2\n";
  return {
      {"P022", "no gradients in step 0", said_without_gradients},
      {"P024", "loss is nan at step 0; first non-finite output: none; batch 0 (\"one word \")",
       [] { return said_of_loss(kNan); }},
      {"P024", "loss is inf at step 0; first non-finite output: none; batch 0 (\"one word \")",
       [] { return said_of_loss(kInf); }},
      {"P025",
       "overflow at step 1; scale 65536 -> 32768; 2 tensors, first planted/0/linear/W, origin not "
       "looked for; skipped 1 in a row",
       [] {
         return said_in_run("level = \"O1\"\n", {0.25F, kInf, 0.25F});
       }},
      {"P026", "2 skipped steps in a row; stopping",
       [two] {
         return said_in_run(two, {kInf, kInf});
       }},
      {"P026", "2 skipped steps in a row; continuing at O0",
       [two] {
         return said_in_run(two + "on_divergence = \"fallback_fp32\"\n", {kInf, kInf});
       }},
      {"P026", "2 skipped steps in a row; layer components.planted.model continues in f32",
       [two] {
         return said_in_run(two + "loss_scale = 65536.0\non_divergence = \"fallback_layer\"\n",
                            {2.0F, 2.0F});
       }},
      {"P027", "scale 8 -> 16 after 2 applied steps",
       [] {
         return said_in_run("level = \"O1\"\ninit_scale = 8.0\ngrowth_interval = 2\n",
                            {0.25F, 0.25F, 0.25F});
       }},
      {"P030", "checkpoint was O3, run is O2; weights taken from weights, scale 65536",
       said_on_resuming},
      {"P031", "ner/0/linear/W has values beyond 65504; cannot save as fp16", said_on_saving},
      {"P040", "ranks disagree on loss scale (65536, 32768)",
       [] {
         const RankScale ranks[] = {{65536.0F, 5}, {32768.0F, 0}};
         return texts_of(check_ranks(ranks));
       }},
      {"P060", "planted read scaled gradients; register it as a gradient hook",
       said_of_early_reader},
  };
}

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all = [] {
    std::vector<Scenario> table;
    for (const auto& part : {of_settings(), of_ops_and_devices(), of_constants(), of_training()}) {
      table.insert(table.end(), part.begin(), part.end());
    }
    return table;
  }();
  return all;
}

// ---- where messages stay away

TEST(EarlyReaders, AreNotWarnedOfWithoutAScaleOrAtTheRightTime) {
  PlantedRun plain("level = \"bf16\"\n");
  plain.component().at_end = [&plain](Batch& batch) {
    static_cast<void>(batch.gradients->find(plain.param("W")));
  };
  plain.step({0.25F});
  EXPECT_EQ(plain.codes(), "");
  PlantedRun hooked("level = \"O1\"\n");
  hooked.training_step().add_gradient_hook(
      [](std::span<const NamedParameter> all, Gradients& gradients) {
        static_cast<void>(gradients.find(*all.front().parameter));
      });
  hooked.step({0.25F});
  EXPECT_EQ(hooked.codes(), "");
}

TEST(OpsWithFewKernels, AreSixteenBitsWideWhereTheyHaveThem) {
  EXPECT_THAT(said_of_op<Bf16Op>("bf16"), ::testing::IsEmpty());
  EXPECT_THAT(said_of_op<Bf16Op>("O0"), ::testing::IsEmpty());
  for (const auto& [level, result] :
       {std::pair("bf16", DType::bf16), std::pair("O1", DType::f32)}) {
    RunFormats formats(policy_at(level));
    Context ctx;
    ctx.follow(&formats);
    EXPECT_EQ(ctx.result<Bf16Op>({1, 1}, Tensor::zeros({1, 1})).dtype(), result) << level;
  }
}

TEST(OwnFormats, AreLeftAlone) {
  PlantedRun run("level = \"O2\"\ncast_model_outputs = \"low\"\n");
  Context ctx;
  ctx.follow(run.session().formats());
  const ModelPtr layer = stubborn_layer();
  const Value y = layer->predict(ctx, Tensor::from<float>({1, 1}, {1.0F}));
  EXPECT_EQ(as_tensor(y).dtype(), DType::bf16);
}

}  // namespace
}  // namespace weft
