// Steps on a device beside those on the CPU: hooks, parts of a batch, word vectors, rules.
#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/vectors.h"
#include "framework/training/step.h"
#include "tests/components/building.h"
#include "tests/components/devices/chosen_device.h"
#include "tests/components/devices/small_ner.h"
#include "tests/framework/devices/device_library.h"

namespace weft::testing {
namespace {

using ::testing::HasSubstr;
using Numbers = std::map<std::string, std::vector<float>>;

// Masks that drop nothing: the parser's own are drawn anew for every part.
class KeepAll final : public MaskSource {
 public:
  void fill(std::string_view, std::int64_t, double, View mask) override {
    std::fill_n(mask.as<float>(), mask.size(), 1.0F);
  }
};

// A pipeline with what a step needs.
class Steps {
 public:
  explicit Steps(int gpu, const std::string& optimizer,
                 const std::function<void(PrecisionSettings&)>& change = {})
      : nlp_(small_ner()), optimizer_(build<OptimizerPtr>(optimizer)) {
    nlp_->initialize(small_examples(*nlp_));
    run_on_gpu(*nlp_, gpu);
    runner_ = std::make_unique<ShardRunner>(*nlp_, pool_, ShardRunnerOptions{.one_shard = true});
    optimizer_->use(nlp_->device_weights());
    PrecisionSettings settings;
    if (change) change(settings);
    session_ = std::make_unique<PrecisionSession>(
        make_precision_policy(settings), *nlp_, *runner_, *optimizer_,
        [this](const Notice& notice) { codes_ += notice.code + " "; });
    training_step_.emplace(*runner_, *optimizer_, *session_);
  }

  void step(std::vector<Example>& examples, std::size_t parts = 1) {
    const std::vector<Example*> all = all_of(examples);
    training_step_->run({.number = number_++, .examples = all, .parts = parts});
  }
  // Short documents alone: which of the long ones is cut where depends on the part.
  std::vector<Example> examples() const {
    std::vector<Example> all = small_examples(*nlp_);
    std::erase_if(all, [](const Example& example) { return example.size() > 20; });
    return all;
  }
  Losses accumulate(std::vector<Example>& examples, std::size_t parts) {
    const std::vector<Example*> all = all_of(examples);
    return run_shards(*runner_, {.examples = all, .parts = parts});
  }
  static std::vector<Example*> all_of(std::vector<Example>& examples) {
    std::vector<Example*> all;
    for (Example& example : examples) all.push_back(&example);
    return all;
  }
  Numbers gradients() const { return numbers_of(runner_->parameters(), runner_->gradients()); }
  static Numbers numbers_of(std::span<const NamedParameter> parameters, Gradients& gradients) {
    Gradients copy = gradients.on_host();
    Numbers all;
    for (const NamedParameter& named : parameters) {
      const auto numbers = copy.numbers(*named.parameter);
      all[named.name].assign(numbers.begin(), numbers.end());
    }
    return all;
  }

  void use(MaskSource& masks) { runner_->replay_masks(&masks); }
  Language& nlp() { return *nlp_; }
  PrecisionSession& session() { return *session_; }
  TrainingStep& training_step() { return *training_step_; }
  const std::string& codes() const { return codes_; }

 private:
  std::shared_ptr<Language> nlp_;
  WorkerPool pool_{1};
  OptimizerPtr optimizer_;
  std::unique_ptr<ShardRunner> runner_;
  std::unique_ptr<PrecisionSession> session_;
  std::optional<TrainingStep> training_step_;
  std::string codes_;
  std::uint64_t number_ = 0;
};

constexpr const char* kSgd = "@optimizers = \"SGD.v1\"\nlearn_rate = 0.1\ngrad_clip = 0.0\n";
constexpr const char* kAdam = "@optimizers = \"Adam.v1\"\nlearn_rate = 0.01\n";

// A fixed scale at O0: a power of two, so that scaling changes no bit.
void scaled(PrecisionSettings& settings) {
  settings.loss_scale = 1024.0;
}

const std::string kFourLayers =
    small::nlp_section(R"(["ner"])") +
    small::ner_section(small::hash_embed_cnn({.depth = 4, .pieces = 3, .subwords = true}));

class DeviceStepsTest : public DeviceSuite {
 protected:
  // How often something of that name was queued so far.
  std::int64_t queued(const char* name) const {
    return device_tests::queued_count(device_->library(), name);
  }
};

TEST_P(DeviceStepsTest, HooksSeeUnscaledGradients) {
  const auto seen_by_hook = [](int gpu, const std::function<void(PrecisionSettings&)>& change) {
    Steps steps(gpu, kSgd, change);
    Numbers seen;
    steps.training_step().add_gradient_hook(
        [&](std::span<const NamedParameter> all, Gradients& gradients) {
          seen = Steps::numbers_of(all, gradients);
        });
    auto examples = steps.examples();
    steps.step(examples);
    return seen;
  };
  const Numbers plain = seen_by_hook(0, {}), unscaled = seen_by_hook(0, scaled);
  ASSERT_FALSE(plain.empty());
  EXPECT_LT(largest_difference(unscaled, plain), 1e-6);
  EXPECT_LT(largest_difference(unscaled, seen_by_hook(-1, scaled)), 1e-3);
  double largest = 0.0;
  for (const auto& [name, numbers] : unscaled) {
    for (const float number : numbers) largest = std::max(largest, std::abs(double{number}));
  }
  EXPECT_GT(largest, 1e-3);
}

TEST_P(DeviceStepsTest, WhatAHookWritesIsWhatIsApplied) {
  for (const float factor : {0.0F, 0.5F}) {
    Steps hooked(0, kSgd, scaled), other(0, kSgd, scaled);
    hooked.training_step().add_gradient_hook(
        [&](std::span<const NamedParameter> all, Gradients& gradients) {
          for (const NamedParameter& named : all) {
            for (float& number : gradients.numbers(*named.parameter)) number *= factor;
          }
        });
    auto examples = hooked.examples(), same = other.examples();
    const Numbers before = weights_of(hooked.nlp());
    hooked.step(examples);
    other.step(same);
    const Numbers after = weights_of(hooked.nlp()), whole = weights_of(other.nlp());
    for (const auto& [name, numbers] : after) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float expected =
            before.at(name)[i] + factor * (whole.at(name)[i] - before.at(name)[i]);
        ASSERT_NEAR(numbers[i], expected, 1e-6) << name;
      }
    }
  }
}

TEST_P(DeviceStepsTest, AnInfinityThatAHookWroteSkipsTheStep) {
  Steps steps(0, kSgd, scaled);
  steps.training_step().add_gradient_hook(
      [](std::span<const NamedParameter> all, Gradients& gradients) {
        gradients.numbers(*all.front().parameter)[0] = std::numeric_limits<float>::infinity();
      });
  auto examples = steps.examples();
  const Numbers before = weights_of(steps.nlp());
  steps.step(examples);
  EXPECT_EQ(weights_of(steps.nlp()), before);
  EXPECT_THAT(steps.codes(), HasSubstr("P025"));
}

// But for the weights that see a missing feature: the last token of each part counts there, as in
// the reference.
TEST_P(DeviceStepsTest, PartsOfABatchAddUpToItsGradient) {
  for (const int gpu : {-1, 0}) {
    Steps one(gpu, kAdam), several(gpu, kAdam);
    KeepAll masks;
    one.use(masks);
    several.use(masks);
    auto whole = one.examples(), cut = several.examples();
    const double loss = one.accumulate(whole, 1).at("ner");
    EXPECT_NEAR(several.accumulate(cut, 3).at("ner"), loss, 1e-4 * loss);
    Numbers expected = one.gradients(), found = several.gradients();
    for (Numbers* numbers : {&expected, &found}) {
      EXPECT_EQ(std::erase_if(*numbers,
                              [](const auto& named) {
                                return named.first.find("precomputable_affine/W") !=
                                       std::string::npos;
                              }),
                1U);
    }
    for (const auto& [name, numbers] : found) {
      EXPECT_LT(largest_difference({{name, numbers}}, expected), 1e-3) << name;
    }
  }
}

TEST_P(DeviceStepsTest, StepsOfSeveralPartsAreThoseOfTheCpu) {
  for (const auto& change : {std::function<void(PrecisionSettings&)>(), {scaled}}) {
    Steps cpu(-1, kAdam, change), gpu(0, kAdam, change);
    auto there = cpu.examples(), here = gpu.examples();
    for (int i = 0; i < 4; ++i) {
      cpu.step(there, 4);
      gpu.step(here, 4);
    }
    EXPECT_LT(largest_difference(weights_of(gpu.nlp()), weights_of(cpu.nlp())), 5e-3);
    EXPECT_EQ(predictions_of(gpu.nlp()), predictions_of(cpu.nlp()));
  }
}

TEST_P(DeviceStepsTest, EveryRuleIsThatOfTheCpu) {
  for (const std::string optimizer :
       {"@optimizers = \"RAdam.v1\"\nlearn_rate = 0.01\n",
        "@optimizers = \"Adam.v1\"\nlearn_rate = 0.01\nL2 = 0.1\nL2_is_weight_decay = false\n",
        "@optimizers = \"Adam.v1\"\nlearn_rate = 0.01\nL2 = 0.1\nuse_averages = false\n",
        "@optimizers = \"SGD.v1\"\nlearn_rate = 0.05\nL2 = 0.01\n"}) {
    SCOPED_TRACE(optimizer);
    Steps cpu(-1, optimizer), gpu(0, optimizer);
    auto there = cpu.examples(), here = gpu.examples();
    for (int i = 0; i < 7; ++i) {  // RAdam trusts its variance from the fifth on
      cpu.step(there);
      gpu.step(here);
    }
    EXPECT_LT(largest_difference(weights_of(gpu.nlp()), weights_of(cpu.nlp())), 5e-3);
  }
}

std::shared_ptr<Language> with_vectors(int gpu) {
  std::string config = kOwnTok2Vec;
  const std::string old = "pretrained_vectors = null";
  config.replace(config.find(old), old.size(), "pretrained_vectors = true");
  auto nlp = small_ner(config);
  const std::vector<std::string> words = {"Ada", "Grace", "Smith", "went", "word3", "word7"};
  Tensor table = Tensor::zeros({static_cast<std::int64_t>(words.size()), 4});
  std::vector<Vectors::KeyRow> keys;
  for (std::size_t i = 0; i < words.size(); ++i) {
    keys.emplace_back(string_id(words[i]), static_cast<std::int32_t>(i));
  }
  for (std::int64_t i = 0; i < table.size(); ++i) {
    table.data<float>()[i] = static_cast<float>((i * 7) % 11 - 5) / 5.0F;
  }
  nlp->mutable_vocab().set_vectors(std::make_shared<Vectors>(table, keys));
  nlp->initialize(small_examples(*nlp));
  run_on_gpu(*nlp, gpu);
  return nlp;
}

TEST_P(DeviceStepsTest, StaticVectorsAreSentAndTheirProjectionLearns) {
  const auto cpu = with_vectors(-1), gpu = with_vectors(0);
  const Numbers before = weights_of(*gpu);
  const auto expected = train_small(*cpu, 5), found = train_small(*gpu, 5);
  expect_near(found, expected, 2e-3);
  const Numbers after = weights_of(*gpu);
  EXPECT_LT(largest_difference(after, weights_of(*cpu)), 5e-3);
  EXPECT_EQ(predictions_of(*gpu), predictions_of(*cpu));
  const auto projection = std::find_if(after.begin(), after.end(), [](const auto& named) {
    return named.first.find("static_vectors") != std::string::npos;
  });
  ASSERT_NE(projection, after.end());
  EXPECT_NE(projection->second, before.at(projection->first));
}

// A GPU spends most of a small update on the way of each piece of work to it. The bounds are what
// was counted, of as many layers as spaCy's network has; a change that queues less lowers them.
TEST_P(DeviceStepsTest, AnUpdateAndAPredictionQueueNoMoreThanCounted) {
  if (GetParam() == "fake") return;                                   // which counts nothing
  constexpr std::int64_t kMostOfUpdate = 90, kMostOfPrediction = 25;  // but for the waits
  struct Bound {
    const char* name;
    std::int64_t update, prediction;
  };
  constexpr Bound kBounds[] = {
      {"kernels", 61, 15}, {"library_gemms", 24, 7}, {"tile_gemms", 0, 0},  {"sorts", 2, 0},
      {"memsets", 1, 0},   {"copies", 0, 1},         {"allocations", 0, 0}, {"waits", 1, 1}};
  const auto nlp = small_ner(kFourLayers);
  nlp->initialize(small_examples(*nlp));
  run_on_gpu(*nlp, 0);
  train_small(*nlp, 2);
  std::int64_t of_update = 0, of_prediction = 0;
  for (const Bound& bound : kBounds) {
    const std::int64_t before = queued(bound.name);
    train_small(*nlp, 1);
    const std::int64_t trained = queued(bound.name);
    EXPECT_LE(trained - before, bound.update) << bound.name << " of an update";
    std::vector<Example> examples = small_examples(*nlp);
    std::vector<Doc*> docs;
    for (Example& example : examples) docs.push_back(&example.predicted());
    nlp->annotate(docs);
    const std::int64_t predicted = queued(bound.name);
    EXPECT_LE(predicted - trained, bound.prediction) << bound.name << " of a prediction";
    if (std::string_view(bound.name) == "waits") continue;
    of_update += trained - before;
    of_prediction += predicted - trained;
  }
  EXPECT_LE(of_update, kMostOfUpdate);
  EXPECT_LE(of_prediction, kMostOfPrediction);
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceStepsTest, kPipelineDevices, device_name);

}  // namespace
}  // namespace weft::testing
