// Whole training runs on a device: checkpoints, going on elsewhere, levels of precision.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/training/train_pipeline.h"
#include "registry/value/json.h"
#include "tests/components/building.h"
#include "tests/components/devices/chosen_device.h"
#include "tests/components/devices/small_ner.h"

namespace weft::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kTraining = R"cfg(
[corpora]

[corpora.train]
@readers = "weft.ConllCorpus.v1"
path = "TRAIN"

[corpora.dev]
@readers = "weft.ConllCorpus.v1"
path = "TRAIN"

[training]
max_steps = 8
eval_frequency = 4

[training.batcher]
@batchers = "spacy.batch_by_sequence.v1"
size = 10

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.01

[training.checkpoints]
every_steps = 5
)cfg";

std::string sentences() {
  const char* people[] = {"Ada", "Grace", "Alan", "Edsger"};
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text += std::string(people[i % 4]) + "\tB-person\nwent\tO\n";
    for (int k = 0; k < i % 5; ++k) text += "far" + std::to_string(k) + "\tO\n";
    text += "to\tO\nOslo\tB-place\n.\tO\n\n";
  }
  return text;
}

class DeviceRunTest : public DeviceSuite {
 protected:
  void SetUp() override {
    DeviceSuite::SetUp();
    if (IsSkipped()) return;
    // In memory where the system has such a place: checkpoints are synced.
    const fs::path memory = "/dev/shm";
    std::string name = "device_run_" + std::to_string(::getpid()) +
                       ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '_');
    folder_ = (fs::is_directory(memory) ? memory : fs::path(::testing::TempDir())) / name;
    fs::create_directories(folder_);
    write_file(folder_ / "train.conll", sentences());
    add_builtin(catalogue_);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  struct Options {
    int gpu = 0;
    Overrides overrides = {};
    std::string from = "";  // goes on from this run's checkpoint
  };
  std::shared_ptr<Language> train(const std::string& output, const Options& options) {
    std::string text = kOwnTok2Vec + kTraining;
    for (std::size_t at = text.find("TRAIN"); at != text.npos; at = text.find("TRAIN")) {
      text.replace(at, 5, (folder_ / "train.conll").string());
    }
    write_file(folder_ / "test.cfg", text);
    Problems problems;
    const Config config =
        load_pipeline_config(folder_ / "test.cfg", options.overrides, catalogue_, problems);
    if (has_errors(problems)) throw Error(ErrorKind::config, problems);
    TrainOptions run;
    run.output = folder_ / output;
    run.gpu = options.gpu;
    if (!options.from.empty()) run.resume_from = folder_ / options.from / "checkpoint";
    out_.str("");
    err_.str("");
    return train_pipeline(config, catalogue_, run, out_, err_).nlp;
  }
  // The weights that every run starts from.
  std::shared_ptr<Language> untrained() {
    return train("untrained", {.gpu = -1,
                               .overrides = {{"training.optimizer.learn_rate", 0.0},
                                             {"training.max_steps", 1}}});
  }
  std::string model(const std::string& output) const {
    return read_file(folder_ / output / "model-last/ner/model");
  }
  std::string optimizer(const std::string& output) const {
    return read_file(folder_ / output / "checkpoint/optimizer.safetensors");
  }
  static Overrides steps(int count) { return {{"training.max_steps", count}}; }

  fs::path folder_;
  Catalogue catalogue_;
  std::ostringstream out_, err_;
};

TEST_P(DeviceRunTest, ItSavesWhatTheCpuSavesButForRounding) {
  const auto gpu = train("gpu", {}), cpu = train("cpu", {.gpu = -1});
  EXPECT_LT(largest_difference(weights_of(*gpu), weights_of(*cpu)), 5e-3);
  EXPECT_TRUE(fs::exists(folder_ / "gpu/model-best/ner/model"));
  EXPECT_TRUE(fs::exists(folder_ / "gpu/checkpoint/state.json"));
  EXPECT_EQ(model("gpu").size(), model("cpu").size());
}

TEST_P(DeviceRunTest, AResumedRunGivesTheBytesOfAWholeOne) {
  train("all", {});
  train("part", {.overrides = steps(5)});
  train("part", {.overrides = steps(8), .from = "part"});
  EXPECT_EQ(model("part"), model("all"));
  EXPECT_EQ(optimizer("part"), optimizer("all"));
}

TEST_P(DeviceRunTest, ACheckpointGoesOnOnAnotherDevice) {
  const auto whole = train("all", {.gpu = -1});
  train("gpu", {.overrides = steps(5)});
  const auto on_cpu = train("gpu", {.gpu = -1, .overrides = steps(8), .from = "gpu"});
  train("cpu", {.gpu = -1, .overrides = steps(5)});
  const auto on_gpu = train("cpu", {.overrides = steps(8), .from = "cpu"});
  EXPECT_LT(largest_difference(weights_of(*on_cpu), weights_of(*whole)), 5e-3);
  EXPECT_LT(largest_difference(weights_of(*on_gpu), weights_of(*whole)), 5e-3);
}

TEST_P(DeviceRunTest, EveryLevelOfPrecisionIsNearTheCpus) {
  const auto plain = train("gpu_O0", {});
  const auto start = weights_of(*untrained());
  for (const std::string level : {"O1", "O2", "O3", "bf16", "tf32"}) {
    const Overrides overrides = {{"training.precision.level", level}};
    const std::string cpu = "cpu_" + level, gpu = "gpu_" + level;
    const auto expected = train(cpu, {.gpu = -1, .overrides = overrides});
    const auto found = train(gpu, {.overrides = overrides});
    const double apart = share_of_way(weights_of(*found), weights_of(*expected), start);
    // At tf32 products are rounded by one side and not by the other, depending on the machine.
    EXPECT_LT(apart, level == "tf32" ? 0.1 : 0.03) << level;
    if (level != "tf32") {
      EXPECT_LT(apart, 0.5 * share_of_way(weights_of(*plain), weights_of(*expected), start))
          << level;
    }
    EXPECT_GT(largest_difference(weights_of(*found), weights_of(*plain)), 0.0) << level;
    if (level != "O1" && level != "O3") continue;
    train(gpu + "_part",
          {.overrides = {{"training.precision.level", level}, {"training.max_steps", 5}}});
    train(gpu + "_part", {.overrides = overrides, .from = gpu + "_part"});
    EXPECT_EQ(model(gpu + "_part"), model(gpu)) << level;
  }
}

// Averages are f32 also where weights have 16 bits (O3), and saved in their place.
TEST_P(DeviceRunTest, TheAveragesThatAreSavedAreNearTheCpus) {
  const auto start = weights_of(*untrained());
  for (const std::string level : {"O0", "O3"}) {
    const Overrides overrides = {{"training.precision.level", level},
                                 {"training.optimizer.use_averages", true}};
    std::vector<std::map<std::string, std::vector<float>>> saved;
    for (const int gpu : {-1, 0}) {
      const std::string output = level + (gpu < 0 ? "_cpu" : "_gpu");
      train(output, {.gpu = gpu, .overrides = overrides});
      saved.push_back(weights_of(*load_pipeline(folder_ / output / "model-last", catalogue_)));
    }
    EXPECT_LT(share_of_way(saved[1], saved[0], start), 0.03) << level;
  }
}

TEST_P(DeviceRunTest, AnOverflowIsFoundSkippedAndNamed) {
  train("out", {.overrides = {{"training.precision.level", "O1"},
                              {"training.precision.init_scale", 16777216.0},
                              {"training.precision.max_loss_scale", 16777216.0}}});
  EXPECT_THAT(err_.str(), HasSubstr("precision: overflow at step 0"));
  EXPECT_THAT(read_file(folder_ / "out/checkpoint/state.json"), HasSubstr("skipped_total"));
}

TEST_P(DeviceRunTest, AllGradientsAreClippedTogetherAsOnTheCpu) {
  // Sgd, since Adam does not look at the size of gradients.
  const Overrides clipped = {
      {"training.precision.grad_norm", 0.01},
      {"training.optimizer", *parse_json(R"({"@optimizers": "SGD.v1", "learn_rate": 0.1})")}};
  const auto cpu = train("cpu", {.gpu = -1, .overrides = clipped});
  const auto gpu = train("gpu", {.overrides = clipped});
  const auto free = train("free", {.overrides = {clipped[1]}});
  EXPECT_LT(largest_difference(weights_of(*gpu), weights_of(*cpu)), 1e-5);
  EXPECT_GT(largest_difference(weights_of(*gpu), weights_of(*free)), 1e-3);
}

TEST_P(DeviceRunTest, ALevelThatTheDeviceCannotDoEndsTheRun) {
  FakeDevice old;
  old.major = 7;
  try {
    train("out", {.overrides = {{"training.precision.level", "bf16"}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_THAT(error.what(), HasSubstr("fake (compute capability 7.0) does not support bf16"));
  }
}

TEST_P(DeviceRunTest, SixteenBitMomentsAreThoseOfTheCpu) {
  const Overrides low = {{"training.precision.level", "O3"},
                         {"training.precision.optimizer_state", "low"}};
  const auto with_steps = [&](int count) {
    Overrides overrides = low;
    overrides.push_back({"training.max_steps", count});
    return overrides;
  };
  const auto cpu = train("cpu", {.gpu = -1, .overrides = low});
  const auto gpu = train("gpu", {.overrides = low});
  const auto wide = train("wide", {.overrides = {low[0]}});
  const auto start = weights_of(*untrained());
  const double apart = share_of_way(weights_of(*gpu), weights_of(*cpu), start);
  // Fp16 sums of a GPU differ from the CPU's in their last bits, which Adam's first steps make
  // large.
  EXPECT_LT(apart, 0.1);
  EXPECT_LT(apart, 0.5 * share_of_way(weights_of(*wide), weights_of(*cpu), start));
  EXPECT_EQ(optimizer("gpu").size(), optimizer("cpu").size());
  EXPECT_LT(optimizer("gpu").size(), optimizer("wide").size());
  train("part", {.overrides = with_steps(5)});
  train("part", {.overrides = with_steps(8), .from = "part"});
  EXPECT_EQ(model("part"), model("gpu"));
  EXPECT_EQ(optimizer("part"), optimizer("gpu"));
  train("part", {.overrides = with_steps(9), .from = "part"});  // and on the CPU
}

// Before anything of an earlier run is touched.
TEST_P(DeviceRunTest, AnOpWithoutAKernelIsNamedWithItsLayerBeforeTheFirstStep) {
  train("out", {.overrides = steps(1)});
  const std::string before = read_file(folder_ / "out/log.jsonl");
  struct Case {
    KernelSlot& slot;
    std::string layer;
  };
  const Case cases[] = {
      {slot_of<MaxoutForward>(), "layer components.ner.model.chain"},
      {slot_of<LayerNormBackward>(), "layer components.ner.model.chain"},
      {slot_of<TransitionTrain>(), "component 'ner'"},
      {slot_of<StepArrays>(), ""},
  };
  constexpr auto kCuda = static_cast<std::size_t>(DeviceKind::cuda);
  for (const Case& one : cases) {
    const ErasedKernel kernel = std::exchange(one.slot.kernels[kCuda], nullptr);
    try {
      train("out", {});
      ADD_FAILURE() << one.slot.name << " was not missed";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::device);
      EXPECT_THAT(error.message(), HasSubstr(one.layer));
      EXPECT_THAT(error.message(), HasSubstr("the op " + std::string(one.slot.name) +
                                             " has no kernel for CUDA devices"));
    }
    one.slot.kernels[kCuda] = kernel;
    EXPECT_EQ(read_file(folder_ / "out/log.jsonl"), before) << one.slot.name;
  }
  train("out", {.overrides = steps(1)});
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceRunTest, kPipelineDevices, device_name);

}  // namespace
}  // namespace weft::testing
