// Skipped steps, the ways out of divergence, and resuming: what a session of the policy does beside
// its level.
#include "framework/training/precision_session.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/components/precision/planted.h"

namespace weft {
namespace {

using ::testing::HasSubstr;
using testing::PlantedRun;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const char* const kAdam = "@optimizers = \"Adam.v1\"\nlearn_rate = 0.01\ngrad_clip = 0.0\n";

// Trained, but its loss knows nothing of a scale: as a plugin's may be.
class Unscaled final : public Component {
 public:
  explicit Unscaled(ModelPtr model) : model_(std::move(model)) {}
  void initialize(InitContext&) override {}
  void predict(Context&, std::span<Doc* const>, Slots&) const override {}
  std::vector<ModelPtr> models() const override { return {model_}; }

 private:
  ModelPtr model_;
};

TEST(PrecisionSession, ASkippedStepMovesNeitherCountersNorSchedules) {
  PlantedRun run("level = \"O1\"\n", 1.0F, kAdam);
  run.step({0.25F});
  run.step({kNan});
  const OptimizerState& state = run.optimizer().states().at("planted/0/linear/W");
  EXPECT_EQ(state.updates, 1);
  EXPECT_EQ(run.optimizer().schedule_step(), 1);
}

TEST(PrecisionSession, SchedulesAdvanceOnSkipsIfAskedTo) {
  PlantedRun run("level = \"O1\"\nschedules_on_skip = \"advance\"\n", 1.0F, kAdam);
  run.step({0.25F});
  run.step({-kInf});
  EXPECT_EQ(run.optimizer().states().at("planted/0/linear/W").updates, 1);
  EXPECT_EQ(run.optimizer().schedule_step(), 2);
}

TEST(PrecisionSession, TheScaleGrowsAfterTheInterval) {
  PlantedRun run("level = \"O2\"\ninit_scale = 8.0\ngrowth_interval = 3\n");
  run.steps(6, 0.0625F);
  EXPECT_EQ(run.session().scaler()->scale(), 32.0F);
  EXPECT_THAT(run.notices.back().str(), HasSubstr("scale 16 -> 32 after 3 applied steps"));
}

TEST(PrecisionSession, AFixedScaleSkipsAndStays) {
  PlantedRun run("level = \"O2\"\nloss_scale = 128.0\n");
  run.step({kInf});
  run.step({0.5F});
  EXPECT_EQ(run.session().scaler()->scale(), 128.0F);
  EXPECT_EQ(run.weight(), 0.5F);
}

TEST(PrecisionSession, DynamicScalingAtO0IsAllowed) {
  PlantedRun run("level = \"O0\"\nloss_scale = \"dynamic\"\n");
  EXPECT_THAT(run.codes(), HasSubstr("P005"));
  run.step({0.5F});
  EXPECT_EQ(run.weight(), 0.5F);
  run.step({1e35F});  // times 65536: beyond f32
  EXPECT_EQ(run.weight(), 0.5F);
  EXPECT_EQ(run.session().scaler()->scale(), 32768.0F);
}

TEST(PrecisionSession, AComponentThatDoesNotScaleItsGradientsIsRefusedWhereTheyAreScaled) {
  const auto start = [](const std::string& settings) -> std::string {
    const auto nlp = blank("en");
    nlp->add({"mine", std::make_shared<Unscaled>(testing::one_weight(1.0F))});
    WorkerPool pool(1);
    ShardRunner runner(*nlp, pool, ShardRunnerOptions{});
    const auto optimizer = testing::build<OptimizerPtr>(testing::sgd(1.0));
    try {
      PrecisionSession session(
          testing::build<PrecisionPolicy>("@precision = \"amp.v1\"\n" + settings), *nlp, runner,
          *optimizer, [](const Notice&) {});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config) << settings;
      return error.what();
    }
    return "it starts";
  };
  for (const char* level : {"O1", "O2"}) {
    EXPECT_THAT(start(std::string("level = \"") + level + "\"\n"),
                HasSubstr("component 'mine' does not scale the gradients of its loss, as " +
                          std::string(level)));
  }
  // Without a scale it is taken: with another format, a scale of one, no 16 bits.
  for (const char* settings : {"level = \"bf16\"\n", "level = \"O2\"\ndtype = \"bf16\"\n",
                               "level = \"O1\"\nloss_scale = 1.0\n", "level = \"O0\"\n"}) {
    EXPECT_EQ(start(settings), "it starts") << settings;
  }
}

TEST(PrecisionSession, TheSecondOverflowInARowNamesItsLayer) {
  PlantedRun run("level = \"O1\"\n");
  // The weight's gradient is f32; that of the input overflows: w dy, cast to fp16.
  run.model().set_param("W", Tensor::from<float>({1, 1}, {1000.0F}));
  run.component().input = kInf;  // makes the gradient of W infinite
  run.component().loss = 1.0;
  run.steps(2, 0.25F);
  EXPECT_EQ(run.codes(), "P025 P025 ");
  EXPECT_THAT(run.notices.at(run.notices.size() - 2).str(), HasSubstr("origin not looked for"));
  EXPECT_THAT(run.notices.back().str(), HasSubstr("origin components.planted.model"));
}

TEST(PrecisionSession, EveryOverflowNamesItsLayerIfAskedTo) {
  PlantedRun run("level = \"O1\"\n");
  run.session().always_find_origin();
  run.component().input = kInf;
  run.step({0.25F});
  EXPECT_THAT(run.notices.back().str(), HasSubstr("origin components.planted.model"));
}

TEST(PrecisionSession, ANonFiniteLossIsNoMatterOfScaling) {
  PlantedRun run("level = \"O1\"\n");
  run.component().loss = kNan;
  run.step({0.25F});
  EXPECT_EQ(run.weight(), 1.0F);
  EXPECT_EQ(run.session().scaler()->scale(), 65536.0F);
  EXPECT_EQ(run.codes(), "P024 ");
  EXPECT_THAT(run.notices.back().str(), HasSubstr("loss is nan at step 0"));
  run.component().loss = 1.0;
  run.step({0.25F});  // the count begins anew
  run.component().loss = kInf;
  run.steps(2, 0.25F);
  EXPECT_THROW(run.step({0.25F}), Error);
  EXPECT_EQ(run.weight(), 0.75F);
}

TEST(PrecisionSession, SkipsWithoutEndStopTheRun) {
  PlantedRun run("level = \"O1\"\nmax_consecutive_skips = 4\n");
  run.steps(3, kInf);
  try {
    run.step({kInf});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_THAT(error.message(), HasSubstr("P026"));
  }
}

TEST(PrecisionSession, FallsBackToF32) {
  PlantedRun run("level = \"O3\"\nmax_consecutive_skips = 2\non_divergence = \"fallback_fp32\"\n",
                 1.0F, testing::sgd(1e-4));
  run.step({1.0F});
  EXPECT_EQ(run.weight(), 1.0F);
  run.steps(2, kInf);
  EXPECT_THAT(run.codes(), HasSubstr("P026"));
  EXPECT_EQ(run.nlp().formats(), nullptr);
  run.step({1.0F});
  EXPECT_EQ(run.weight(), 0.9999F);
  // A run that goes on from here stays at O0.
  const Node saved = run.session().state();
  run.start("level = \"O3\"\n");
  run.session().restore(saved);
  EXPECT_EQ(run.nlp().formats(), nullptr);
}

TEST(PrecisionSession, FallsBackToOneLayerInF32) {
  PlantedRun run(
      "level = \"O1\"\nloss_scale = 65536.0\nmax_consecutive_skips = 2\n"
      "on_divergence = \"fallback_layer\"\n");
  run.steps(2, 2.0F);  // 131072 does not fit fp16
  ASSERT_THAT(run.notices.back().str(),
              HasSubstr("layer components.planted.model continues in f32"));
  run.step({2.0F});
  EXPECT_EQ(run.weight(), -1.0F);
  EXPECT_EQ(run.component().output_type, DType::f32);
  const Node saved = run.session().state();
  run.start("level = \"O1\"\nloss_scale = 65536.0\n");
  run.session().restore(saved);
  run.step({2.0F});
  EXPECT_EQ(run.weight(), -3.0F);
}

TEST(PrecisionSession, GoesOnExactlyFromItsState) {
  const std::string settings = "level = \"O2\"\ngrowth_interval = 4\n";
  PlantedRun whole(settings), parts(settings);
  const std::vector<float> gradients = {0.25F, kInf, 0.125F, 0.0625F, 0.25F, 0.5F, kNan, 0.125F};
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    whole.step({gradients[i]});
    if (i == 4) {
      const Node saved = parts.session().state();
      parts.start(settings);
      parts.session().restore(saved);
    }
    parts.step({gradients[i]});
    EXPECT_EQ(parts.session().scaler()->state(), whole.session().scaler()->state()) << i;
    EXPECT_EQ(parts.weight(), whole.weight()) << i;
  }
}

TEST(PrecisionSession, ResumingAtAnotherLevelIsSaid) {
  PlantedRun run("level = \"O1\"\n");
  run.step({0.25F});
  const Node saved = run.session().state();
  run.start("level = \"O2\"\n");
  run.session().restore(saved);
  EXPECT_EQ(run.codes(), "P030 ");
  EXPECT_THAT(run.notices.back().str(), HasSubstr("checkpoint was O1, run is O2"));
  run.start("level = \"O2\"\n");
  run.session().restore(nullptr);
  EXPECT_THAT(run.notices.back().str(), HasSubstr("checkpoint was O0, run is O2"));
}

TEST(PrecisionSession, StepsWithoutGradientsCountAsNeither) {
  PlantedRun run("level = \"O1\"\n");
  run.runner().choose({"planted"}, {});
  run.steps(2, 0.25F);
  EXPECT_EQ(run.codes(), "P022 ");
  EXPECT_EQ(run.session().scaler()->state().applied_total, 0);
  EXPECT_EQ(run.session().scaler()->state().skipped_total, 0);
}

// Knows nothing of scaling.
class Unaware final : public Component {
 public:
  void initialize(InitContext&) override {}
  void predict(Context&, std::span<Doc* const>, Slots&) const override {}
  std::vector<ModelPtr> models() const override { return {testing::one_weight(1.0F)}; }
};

TEST(PrecisionSession, RefusesComponentsThatDoNotScale) {
  PlantedRun run("level = \"O0\"\n");
  run.nlp().add({"unaware", std::make_shared<Unaware>()});
  try {
    run.start("level = \"O1\"\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_THAT(error.message(), HasSubstr("component 'unaware'"));
    EXPECT_THAT(error.message(), HasSubstr("loss_scale"));
  }
}

TEST(PrecisionSession, EvaluatesAtTheLevelThatIsAskedFor) {
  for (const char* level : {"O1", "O3"}) {
    const std::string name = std::string("level = \"") + level + "\"\n";
    PlantedRun same(name), wide(name + "eval_level = \"O0\"\n");
    same.session().evaluate([&] { EXPECT_NE(same.nlp().formats(), nullptr); });
    wide.session().evaluate([&] {
      EXPECT_EQ(wide.nlp().formats(), nullptr);
      EXPECT_EQ(wide.param("W").value.dtype(), DType::f32);
    });
    EXPECT_EQ(wide.nlp().formats(), wide.session().formats());
    EXPECT_EQ(wide.param("W").value.dtype(), same.param("W").value.dtype());
  }
}

TEST(PrecisionSession, ALogLineTellsLevelScaleAndSkips) {
  PlantedRun run("level = \"O2\"\n");
  run.step({kInf});
  const Object line = run.session().log_line();
  EXPECT_EQ(line.find("level")->as_string(), "O2");
  EXPECT_EQ(line.find("scale")->as_float(), 32768.0);
  EXPECT_EQ(line.find("skipped")->as_integer(), 1);
  EXPECT_EQ(line.find("eval_level"), nullptr);
  PlantedRun wide("level = \"O2\"\neval_level = \"O0\"\n");
  EXPECT_EQ(wide.session().log_line().find("eval_level")->as_string(), "O0");
}

}  // namespace
}  // namespace weft
