// Updates and predictions on a device whose memory the host cannot touch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/op_profile.h"
#include "framework/training/optimizer.h"
#include "tests/components/devices/chosen_device.h"
#include "tests/components/devices/small_ner.h"
#include "tests/framework/devices/device_library.h"

namespace weft::testing {
namespace {

using ::testing::HasSubstr;

class DeviceTrainingTest : public DeviceSuite {
 protected:
  // `shared`: of two recognizers that listen to one tok2vec.
  static std::shared_ptr<Language> ready(bool shared, int gpu) {
    return ready_from(shared ? kShared : kOwnTok2Vec, gpu);
  }
  // Adam with these rates, one for each step.
  static OptimizerPtr steps_of_rate(const std::vector<double>& rates) {
    class Rates final : public Optimizer {
     public:
      using Optimizer::Optimizer;

     private:
      std::optional<StepRule> rule(std::int64_t, StepScalars& s) const override {
        s.learn_rate = static_cast<float>(learn_rate());
        s.beta1 = 0.9F, s.beta2 = 0.999F, s.eps = 1e-8F;
        return StepRule::adam;
      }
    };
    OptimizerSettings settings;
    settings.learn_rate = Schedule(rates);
    return std::make_shared<Rates>(settings);
  }
  static std::shared_ptr<Language> ready_from(const std::string& config, int gpu) {
    auto nlp = small_ner(config);
    nlp->initialize(small_examples(*nlp));
    run_on_gpu(*nlp, gpu);
    return nlp;
  }
};

TEST_P(DeviceTrainingTest, LossesWeightsAndPredictionsAreThoseOfTheCpu) {
  for (const bool shared : {false, true}) {
    const auto cpu = ready(shared, -1), gpu = ready(shared, 0);
    const auto expected = train_small(*cpu, 8);
    const auto found = train_small(*gpu, 8);
    expect_near(found, expected, 2e-3);
    EXPECT_LT(largest_difference(weights_of(*gpu), weights_of(*cpu)), 5e-3);
    EXPECT_EQ(predictions_of(*gpu), predictions_of(*cpu));
  }
}

TEST_P(DeviceTrainingTest, TwoRunsGiveTheSameBytes) {
  for (const bool shared : {false, true}) {
    const auto first = ready(shared, 0), second = ready(shared, 0);
    train_small(*first, 4);
    train_small(*second, 4);
    EXPECT_EQ(weights_of(*first), weights_of(*second));
  }
}

TEST_P(DeviceTrainingTest, ARunThatMovesBetweenDevicesGoesOn) {
  const auto stays = ready(true, -1), moves = ready(true, 0);
  train_small(*stays, 6, 0.0);
  train_small(*moves, 3, 0.0);
  run_on_gpu(*moves, -1);
  train_small(*moves, 2, 0.0);
  run_on_gpu(*moves, 0);
  train_small(*moves, 1, 0.0);
  EXPECT_LT(largest_difference(weights_of(*moves), weights_of(*stays)), 5e-3);
}

TEST_P(DeviceTrainingTest, LateLabelsGrowTheLayersOnBothSides) {
  const auto cpu = ready(false, -1), gpu = ready(false, 0);
  for (Language* nlp : {cpu.get(), gpu.get()}) {
    train_small(*nlp, 3);
    std::vector<Example> late = small_examples(*nlp, "LATE");
    nlp->update(late, {.drop = 0.0});
    nlp->update(late, {.drop = 0.0});
  }
  const auto labels = gpu->find("ner")->labels();
  EXPECT_THAT(labels, ::testing::Contains("LATE"));
  EXPECT_LT(largest_difference(weights_of(*gpu), weights_of(*cpu)), 5e-3);
}

// Greedy parses with more classes than the weights have, with an upper layer and without.
TEST_P(DeviceTrainingTest, EntitiesThatStandAlreadyArePassedAsOnTheCpu) {
  const auto found_by = [](Language& nlp) {
    train_small(nlp, 8);
    std::string found;
    for (const Example& example : small_examples(nlp)) {
      Doc doc = nlp.make_doc(example.reference().text());
      doc.set_ents({{0, 1, nlp.vocab()->strings().add("DAY")}});
      Doc* const docs[] = {&doc};
      nlp.annotate(docs);
      EXPECT_EQ(doc.string(doc.ents().front().label), "DAY");
      found += text_of(doc);
    }
    return found;
  };
  const std::string expected = found_by(*ready(true, -1));
  EXPECT_THAT(expected, HasSubstr("ORG"));
  EXPECT_EQ(found_by(*ready(true, 0)), expected);
}

TEST_P(DeviceTrainingTest, ListenersBehindTokensThatWereSplitAreThoseOfTheCpu) {
  std::string text = kShared;
  const std::string names = R"("tok2vec",)";
  text.replace(text.find(names), names.size(), R"("tok2vec","token_splitter",)");
  text +=
      "\n[components.token_splitter]\nfactory = \"token_splitter\"\nmin_length = 6\n"
      "split_length = 3\n";
  const auto cpu = ready_from(text, -1), gpu = ready_from(text, 0);
  train_small(*cpu, 8);
  train_small(*gpu, 8);
  EXPECT_EQ(predictions_of(*gpu), predictions_of(*cpu));
}

// An update whose step overflows, in the middle of good ones: nothing of it is there afterwards.
TEST_P(DeviceTrainingTest, AStepThatOverflowsLeavesNothing) {
  for (const int gpu : {-1, 0}) {
    std::vector<std::map<std::string, std::vector<float>>> ends;
    for (const bool overflows : {false, true}) {
      const auto nlp = ready(false, gpu);
      std::vector<Example> examples = small_examples(*nlp);
      const auto optimizer = steps_of_rate({0.01, 0.01, 0.01, 0.01, 1e39});
      const UpdateOptions options{.drop = 0.2, .sgd = optimizer};
      nlp->update(examples, options);
      nlp->update(examples, options);
      const auto before = weights_of(*nlp);
      if (overflows) {
        optimizer->set_schedule_step(4);
        nlp->update(examples, {.drop = 0.2, .sgd = optimizer, .step = false});
        try {
          nlp->update(examples, options);
          ADD_FAILURE() << "the step was applied";
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::diverged);
          EXPECT_THAT(error.message(), HasSubstr("diverged in step 2: the optimizer's step"));
          EXPECT_THAT(error.message(), HasSubstr("component 'ner', layer"));
          EXPECT_THAT(error.message(), HasSubstr("Yesterday"));
        }
        EXPECT_EQ(weights_of(*nlp), before);
        EXPECT_EQ(optimizer->schedule_step(), 4);
        optimizer->set_schedule_step(2);
      }
      nlp->update(examples, options);
      ends.push_back(weights_of(*nlp));
      for (const auto& [name, state] : optimizer->states_on_host()) {
        for (const auto& [kind, array] :
             {std::pair(".mom1", state.mom1), std::pair(".mom2", state.mom2),
              std::pair(".average", state.average)}) {
          ends.back()[name + kind].assign(array.data<float>(), array.data<float>() + array.size());
        }
        ends.back()[name].push_back(static_cast<float>(state.updates));
      }
    }
    EXPECT_EQ(ends[0] == ends[1], true) << "device " << gpu;
  }
}

TEST_P(DeviceTrainingTest, AveragesAreExchangedWhereTheWeightsAre) {
  const auto cpu = ready(false, -1), gpu = ready(false, 0);
  for (Language* nlp : {cpu.get(), gpu.get()}) {
    const auto optimizer = nlp->initialize(small_examples(*nlp));
    std::vector<Example> examples = small_examples(*nlp);
    for (int step = 0; step < 3; ++step) nlp->update(examples, {.sgd = optimizer});
    optimizer->swap_averages(trained_parameters(*nlp, {}));
  }
  const auto averages = weights_of(*gpu);
  EXPECT_LT(largest_difference(averages, weights_of(*cpu)), 2e-3);
}

TEST_P(DeviceTrainingTest, ABudgetThatIsTooSmallForABatchHalvesIt) {
  const auto free = ready(false, 0), tight = ready(false, 0);
  const auto expected = train_small(*free, 3, 0.0);
  const std::size_t budget = free->stream()->peak() * 6 / 10;
  tight->stream()->set_budget(budget);
  const auto found = train_small(*tight, 3, 0.0);
  expect_near(found, expected, 1e-3);
  EXPECT_LE(tight->stream()->peak(), budget);
  EXPECT_LT(largest_difference(weights_of(*tight), weights_of(*free)), 5e-3);
}

TEST_P(DeviceTrainingTest, ABudgetThatHoldsNothingIsAnErrorOfMemory) {
  const auto nlp = ready(false, 0);
  nlp->stream()->set_budget(1000);
  try {
    train_small(*nlp, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
    EXPECT_THAT(error.message(), HasSubstr("gpu_memory"));
  }
}

TEST_P(DeviceTrainingTest, TheBudgetComesFromTheConfig) {
  const auto nlp = ready_from(kOwnTok2Vec + "\n[system]\ngpu_memory = \"64MB\"\n", 0);
  EXPECT_EQ(nlp->stream()->budget(), 64000000u);
}

// As with WEFT_CUDA_SYNC=1.
TEST_P(DeviceTrainingTest, AFaultIsToldWithItsLayerWhereEachKernelIsWaitedFor) {
  if (GetParam() != "emulated") return;  // the only one that can be told to fail
  const auto nlp = ready(false, 0);
  predictions_of(*nlp);
  const device_tests::DeviceMode sync(device_->library(), "sync");
  const device_tests::Variable fault("WEFT_EMULATED_FAULT");
  OpProfile profile;
  const ProfileScope layers_are_told_apart(profile);
  try {
    predictions_of(*nlp);
    ADD_FAILURE() << "nothing failed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_THAT(error.message(), HasSubstr("layer components.ner.model"));
    EXPECT_THAT(error.message(), HasSubstr("a fault of the emulated device (in "));
  }
}

TEST_P(DeviceTrainingTest, TouchingTheDeviceFromTheHostEndsTheProgram) {
  const auto nlp = ready(false, 0);
  Context ctx(nlp->stream());
  Tensor there = ctx.zeros({4});
  EXPECT_DEATH(there.data<float>()[0] = 1.0F, "");
  EXPECT_THROW(there.clone(), Error);
  EXPECT_EQ(ctx.on_host(there).data<float>()[3], 0.0F);
}

INSTANTIATE_TEST_SUITE_P(Devices, DeviceTrainingTest, kPipelineDevices, device_name);

}  // namespace
}  // namespace weft::testing
