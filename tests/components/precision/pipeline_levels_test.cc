// A whole recognizer at every level: memory, agreement, listeners, the plan.
#include <cmath>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/weft.h"
#include "framework/nn/model.h"
#include "framework/nn/run_formats.h"
#include "framework/ops/op_casts.h"
#include "framework/ops/pass_observer.h"
#include "framework/ops/random.h"
#include "framework/pipeline/compare_predictions.h"
#include "framework/pipeline/number_formats.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/precision/element_type.h"
#include "framework/text/vocab.h"
#include "framework/training/precision_plan.h"
#include "framework/training/precision_session.h"
#include "framework/training/step_gradients.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

// Made-up sentences of `words` words in all, in which some words are people; `types` different ones
// at most.
std::vector<Example> documents(const Language& nlp, int words, int length = 25, int types = 3001) {
  std::vector<Example> examples;
  for (int first = 0; first < words; first += length) {
    std::vector<std::string> text;
    std::vector<std::string> tags;
    for (int i = first; i < first + length; ++i) {
      const bool person = i * 7919 % 11 == 0;
      text.push_back((person ? "Name" : "word") + std::to_string(i * 104729 % types));
      tags.push_back(person ? "U-person" : "O");
    }
    Doc doc = Doc::from_words(nlp.vocab(), text);
    std::vector<Iob> iobs;
    std::vector<StringId> types;
    for (const std::string& tag : tags) {
      iobs.push_back(tag == "O" ? Iob::out : Iob::begin);
      types.push_back(tag == "O" ? 0 : nlp.vocab()->strings().add("person"));
    }
    doc.set_ent_columns(std::move(iobs), std::move(types));
    examples.push_back(Example::from_reference(std::move(doc)));
  }
  return examples;
}

std::vector<Example*> pointers(std::vector<Example>& examples) {
  std::vector<Example*> all;
  for (Example& example : examples) all.push_back(&example);
  return all;
}

PrecisionPolicy policy(const std::string& level, LowFormat format = LowFormat::fp16) {
  PrecisionSettings settings;
  settings.level = level;
  settings.dtype = format;
  return make_precision_policy(settings);
}

// The loss of a pass over the documents and the bytes that it took: arena and scratch
// together.
struct Pass {
  double loss = 0;
  std::size_t bytes = 0;
};

Pass pass_at(Language& nlp, const std::string& level, std::vector<Example>& examples,
             PassObserver* observer = nullptr) {
  nlp.set_formats(make_formats(policy(level), nlp));
  WorkerPool pool(1);
  ShardRunner runner(nlp, pool, {.seed = 1});
  std::optional<ShardRunner::Watch> watch;
  if (observer != nullptr) watch.emplace(runner, *observer);
  const Losses losses = runner.accumulate(pointers(examples), 0.1, 0);
  nlp.set_formats(nullptr);
  return {losses.at("ner"), runner.peak() + runner.scratch_peak()};
}

TEST(PipelineLevels, WhateverEndsAWatchNobodyWatchesBehindIt) {
  class Counted final : public PassObserver {
   public:
    void op_ran(std::string_view, const OpTraits&, std::span<const DType>,
                std::span<const DType>) override {
      ++ops;
    }
    int ops = 0;
  };
  const auto nlp = blank("en", {"ner"});
  std::vector<Example> examples = documents(*nlp, 100, 25, 30);
  nlp->initialize(examples);
  WorkerPool pool(1);
  ShardRunner runner(*nlp, pool, {.seed = 1});
  Counted counted;
  try {
    const ShardRunner::Watch watch(runner, counted);
    runner.accumulate(pointers(examples), 0.1, 0);
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    EXPECT_GT(std::exchange(counted.ops, 0), 0);
  }
  runner.accumulate(pointers(examples), 0.1, 0);
  EXPECT_EQ(counted.ops, 0);
}

// Both as they run by themselves: the layers of the encoder as blocks. Layer by layer, which is
// what a watched pass runs, O0 takes more.
TEST(PipelineLevels, ActivationsAtO2TakeAtMostSixTenthsOfO0) {
  for (const int types : {3001, 300}) {
    const auto nlp = blank("en", {"ner"});
    std::vector<Example> examples = documents(*nlp, 16000, 25, types);
    nlp->initialize(std::span(examples).first(20));
    const Pass low = pass_at(*nlp, "O2", examples);
    const Pass wide = pass_at(*nlp, "O0", examples);
    PassObserver watching;
    const Pass layers = pass_at(*nlp, "O0", examples, &watching);
    const std::string of = "_of_" + std::to_string(types) + "_types";
    RecordProperty("bytes_at_O0" + of, std::to_string(wide.bytes));
    RecordProperty("bytes_at_O2" + of, std::to_string(low.bytes));
    RecordProperty("bytes_at_O0_layer_by_layer" + of, std::to_string(layers.bytes));
    RecordProperty("share" + of, std::to_string(double(low.bytes) / double(wide.bytes)));
    EXPECT_LE(static_cast<double>(low.bytes), 0.6 * static_cast<double>(wide.bytes))
        << low.bytes << " of " << wide.bytes << of;
    EXPECT_NEAR(low.loss / wide.loss, 1.0, 0.005);
    EXPECT_NEAR(wide.loss / layers.loss, 1.0, 1e-5);
  }
}

// Watched layers run one by one: blocks round where they do.
TEST(PipelineLevels, BlocksGiveTheLossOfTheLayersOneByOne) {
  const auto nlp = blank("en", {"ner"});
  std::vector<Example> examples = documents(*nlp, 1000);
  nlp->initialize(examples);
  for (int step = 0; step < 3; ++step) nlp->update(examples);
  PassObserver watching;
  for (const char* level : {"O1", "O2", "O3", "bf16", "tf32"}) {
    const Pass blocks = pass_at(*nlp, level, examples);
    const Pass layers = pass_at(*nlp, level, examples, &watching);
    EXPECT_NEAR(blocks.loss / layers.loss, 1.0, 2e-5) << level;
    EXPECT_LT(blocks.bytes, layers.bytes) << level;
  }
}

// The bytes of what a run keeps from step to step beside the optimizer's state.
TEST(PipelineLevels, WeightsAndGradientsAtO3TakeHalfOfO0) {
  const auto bytes_at = [](const std::string& level) {
    const auto nlp = blank("en", {"tok2vec", "ner"});
    std::vector<Example> examples = documents(*nlp, 300);
    nlp->initialize(examples);
    const auto formats = make_formats(policy(level), *nlp);
    if (formats) formats->narrow_weights();
    nlp->set_formats(formats);
    WorkerPool pool(1);
    ShardRunner runner(*nlp, pool, {.seed = 1});
    runner.accumulate(pointers(examples), 0.1, 0);
    std::size_t weights = 0;
    for (const NamedParameter& named : runner.parameters()) {
      weights += named.parameter->value.bytes();
    }
    nlp->set_formats(nullptr);
    return std::pair(weights, runner.gradients().bytes());
  };
  const auto wide = bytes_at("O0"), low = bytes_at("O3");
  EXPECT_GT(wide.second, 100000U);
  EXPECT_EQ(2 * low.first, wide.first);
  EXPECT_EQ(2 * low.second, wide.second);
}

TEST(PipelineLevels, LossesAreThoseOfO0UpToRounding) {
  const auto nlp = blank("en", {"tok2vec", "ner"});
  std::vector<Example> examples = documents(*nlp, 300);
  nlp->initialize(examples);
  const Pass wide = pass_at(*nlp, "O0", examples);
  for (const char* level : {"O1", "O2", "O3", "tf32", "bf16"}) {
    const Pass pass = pass_at(*nlp, level, examples);
    EXPECT_NEAR(pass.loss / wide.loss, 1.0, std::string(level) == "bf16" ? 0.02 : 0.005) << level;
  }
}

// Masks depend on seed, layer and element alone.
class RecordingMasks final : public MaskSource {
 public:
  void fill(std::string_view site, std::int64_t offset, double rate, View mask) override {
    CounterMasks(1, 0).fill(site, offset, rate, mask);
    double sum = 0;
    for (std::int64_t i = 0; i < mask.size(); ++i) {
      sum += mask.as<float>()[i] * static_cast<double>(i % 97);
    }
    sums[std::string(site)] += sum;
  }
  std::map<std::string, double> sums;
};

TEST(PipelineLevels, DropoutMasksAreTheSameAtEveryLevel) {
  const auto nlp = blank("en", {"ner"});
  std::vector<Example> examples = documents(*nlp, 200);
  nlp->initialize(examples);
  const auto masks_at = [&](const std::string& level) {
    nlp->set_formats(make_formats(policy(level), *nlp));
    WorkerPool pool(1);
    ShardRunner runner(*nlp, pool, {.seed = 1});
    RecordingMasks masks;
    runner.replay_masks(&masks);
    runner.accumulate(pointers(examples), 0.2, 0);
    nlp->set_formats(nullptr);
    return masks.sums;
  };
  const auto wide = masks_at("O0");
  EXPECT_GT(wide.size(), 4U);
  for (const char* level : {"O1", "O2", "O3"}) {
    const auto low = masks_at(level);
    for (const auto& [site, sum] : wide) {
      // The states that the parser passes through may differ; layers of tokens may not.
      if (site.ends_with("/state")) continue;
      EXPECT_EQ(low.at(site), sum) << level << " " << site;
    }
  }
}

const PlanLine* line_of(const std::vector<PlanLine>& lines, const std::string& path,
                        const std::string& name) {
  for (const PlanLine& line : lines) {
    if (line.path.ends_with(path) && line.name == name) return &line;
  }
  return nullptr;
}

PipelinePlan plan_at(const PrecisionPolicy& policy) {
  const auto nlp = blank("en", {"tok2vec", "ner"});
  std::vector<Example> examples = documents(*nlp, 100);
  nlp->initialize(examples);
  return plan_pipeline(*nlp, policy, pointers(examples), {});
}

TEST(Plan, AtO0EverythingIsF32) {
  const PipelinePlan plan = plan_at(policy("O0"));
  EXPECT_GT(plan.ops.size(), 20U);
  for (const auto* lines : {&plan.ops, &plan.parameters}) {
    for (const PlanLine& line : *lines) {
      EXPECT_THAT(line.input, ::testing::AnyOf("f32", "")) << line.path << " " << line.name;
      EXPECT_THAT(line.output, ::testing::AnyOf("f32", "")) << line.path << " " << line.name;
    }
  }
}

TEST(Plan, AtO1EveryProductIsGivenSixteenBitsAndEveryF32OpF32) {
  const PipelinePlan plan = plan_at(policy("O1"));
  for (const PlanLine& line : plan.ops) {
    const std::string wanted = line.category == "low" ? "fp16" : "f32";
    if (line.category != "low" && line.category != "f32") continue;
    EXPECT_EQ(line.input, wanted) << line.path << " " << line.name;
  }
  const PlanLine* affine = line_of(plan.ops, "maxout", "affine");
  ASSERT_NE(affine, nullptr);
  EXPECT_EQ(affine->output, "fp16");
  const PlanLine* norm = line_of(plan.ops, "layernorm", "layer_norm_forward");
  ASSERT_NE(norm, nullptr);
  EXPECT_EQ(norm->output, "f32");
  for (const PlanLine& line : plan.parameters) EXPECT_EQ(line.output, "f32") << line.path;
}

TEST(Plan, AtO2WeightsAreLowAndNormsAreNot) {
  const PipelinePlan plan = plan_at(policy("O2", LowFormat::bf16));
  int norms = 0;
  for (const PlanLine& line : plan.parameters) {
    const bool norm = line.path.ends_with("layernorm");
    norms += norm;
    EXPECT_EQ(line.output, norm ? "f32" : "bf16") << line.path << " " << line.name;
  }
  EXPECT_GT(norms, 4);
  const PlanLine* norm = line_of(plan.ops, "layernorm", "layer_norm_forward");
  ASSERT_NE(norm, nullptr);
  EXPECT_EQ(norm->output, "bf16, f32");  // the rows, and mean and deviation for the backward pass
}

TEST(Plan, AtO3EveryParameterIsLow) {
  const PipelinePlan plan = plan_at(policy("O3"));
  EXPECT_GT(plan.parameters.size(), 20U);
  for (const PlanLine& line : plan.parameters) {
    EXPECT_EQ(line.output, "fp16") << line.path << " " << line.name;
  }
}

TEST(Plan, LogitsAreF32UnlessTheyAreToBeLow) {
  for (const char* level : {"O1", "O2", "O3"}) {
    const PipelinePlan plan = plan_at(policy(level));
    const PlanLine* scores = line_of(plan.ops, "linear", "parser_upper");
    ASSERT_NE(scores, nullptr);
    EXPECT_EQ(scores->output, "f32") << level;
  }
  PrecisionSettings settings;
  settings.level = "O2";
  settings.cast_model_outputs = Width::low;
  const PipelinePlan plan = plan_at(make_precision_policy(settings));
  EXPECT_EQ(line_of(plan.ops, "linear", "parser_upper")->output, "fp16");
}

TEST(Plan, LayerNormGivesWhatNormOutputSaysAtO1) {
  PrecisionSettings settings;
  settings.level = "O1";
  settings.norm_output = Width::low;
  const PipelinePlan plan = plan_at(make_precision_policy(settings));
  const PlanLine* norm = line_of(plan.ops, "layernorm", "layer_norm_forward");
  ASSERT_NE(norm, nullptr);
  EXPECT_EQ(norm->input, "f32");
  EXPECT_EQ(norm->output, "fp16, f32");
}

TEST(Plan, EveryFloatingOpOfTheTableIsDecidedByIt) {
  for (const PlanLine& line : plan_at(policy("O1")).ops) {
    EXPECT_THAT(line.category, ::testing::AnyOf("low", "f32", "promote", "match_first", "any"))
        << line.name;
    EXPECT_THAT(line.decided_by, ::testing::AnyOf("O1", "always f32")) << line.name;
  }
}

// Scores that are rounded change the gradient by no more than rounding does.
TEST(PipelineLevels, LowLogitsChangeTheGradientALittle) {
  const auto nlp = blank("en", {"ner"});
  std::vector<Example> examples = documents(*nlp, 300);
  nlp->initialize(examples);
  for (int step = 0; step < 5; ++step) nlp->update(examples);  // fresh scores are all zero
  const auto norm_with = [&](Width outputs) {
    PrecisionSettings settings;
    settings.level = "O2";
    settings.dtype = LowFormat::bf16;
    settings.cast_model_outputs = outputs;
    nlp->set_formats(make_formats(make_precision_policy(settings), *nlp));
    WorkerPool pool(1);
    ShardRunner runner(*nlp, pool, {.seed = 1});
    runner.accumulate(pointers(examples), 0.1, 0);
    nlp->set_formats(nullptr);
    return common_norm(runner.context(), runner.parameters(), runner.gradients());
  };
  const double wide = norm_with(Width::f32), low = norm_with(Width::low);
  EXPECT_NE(low, wide);
  EXPECT_NEAR(low / wide, 1.0, 0.05);
}

TEST(Plan, ARuleChangesItsLayerAlone) {
  PrecisionPolicy ruled = policy("O1");
  ruled.rules = {{"*residual_2*maxout", Compute::f32}};
  const PipelinePlan plan = plan_at(ruled);
  int changed = 0;
  for (const PlanLine& line : plan.ops) {
    if (line.name != "affine") continue;
    const bool match = line.path.find("residual_2") != std::string::npos;
    changed += match;
    EXPECT_EQ(line.input, match ? "f32" : "fp16") << line.path;
    EXPECT_EQ(line.decided_by, match ? "rule 1 (*residual_2*maxout)" : "O1");
  }
  EXPECT_GE(changed, 1);
}

// The entities of every document at a level.
std::vector<std::vector<Span>> predicted_at(Language& nlp, const PrecisionPolicy& level,
                                            const std::vector<Example>& examples) {
  nlp.set_formats(make_formats(level, nlp));
  std::vector<std::vector<Span>> all;
  for (const Example& example : examples) {
    std::vector<std::string> words;
    for (int i = 0; i < example.reference().size(); ++i) {
      words.emplace_back(example.reference().word(i));
    }
    Doc doc = Doc::from_words(nlp.vocab(), words);
    Doc* const docs[] = {&doc};
    nlp.annotate(docs);
    all.push_back(doc.ents());
  }
  nlp.set_formats(nullptr);
  return all;
}

// Scores of a network that chooses at random: some are so close that rounding decides.
void score_at_random(Language& nlp) {
  const RandomStream random(1, 2, 3);
  std::uint64_t at = 0;
  for (Model* node : nlp.find("ner")->models().front()->walk()) {
    for (const auto& parameter : node->params()) {
      if (node->name() != "linear" || !parameter->value) continue;
      float* numbers = parameter->value.data<float>();
      for (std::int64_t i = 0; i < parameter->value.size(); ++i) {
        numbers[i] = random.uniform(at++) - 0.5F;
      }
      ++parameter->version;
    }
  }
}

TEST(ComparePredictions, CountsDocumentsThatDiffer) {
  const auto nlp = blank("en", {"ner"});
  std::vector<Example> examples = documents(*nlp, 1500);
  nlp->initialize(examples);
  WorkerPool pool(1);
  const PredictionComparison same = compare_predictions(*nlp, policy("O0"), examples, pool);
  EXPECT_EQ(same.documents, examples.size());
  EXPECT_EQ(same.different, 0U);
  score_at_random(*nlp);
  const PrecisionPolicy coarse = policy("O3", LowFormat::bf16);
  const auto wide_ents = predicted_at(*nlp, policy("O0"), examples);
  const auto low_ents = predicted_at(*nlp, coarse, examples);
  std::size_t different = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) different += wide_ents[i] != low_ents[i];
  EXPECT_GT(different, 0U);
  // Documents that have entities keep them: fresh ones.
  std::vector<Example> fresh = documents(*nlp, 1500);
  EXPECT_EQ(compare_predictions(*nlp, coarse, fresh, pool).different, different);
}

TEST(ComparePredictions, ScoresOfANetworkThatHasLearnedAreClose) {
  const auto nlp = blank("en", {"ner"});
  std::vector<Example> examples = documents(*nlp, 300);
  nlp->initialize(examples);
  for (int step = 0; step < 15; ++step) nlp->update(examples);
  WorkerPool pool(1);
  const PredictionComparison low = compare_predictions(*nlp, policy("O2"), examples, pool);
  EXPECT_NEAR(low.level.find("ents_f")->as_float(), low.f32.find("ents_f")->as_float(), 0.05);
  EXPECT_THROW(policy_of_level("02"), Error);
}

}  // namespace
}  // namespace weft
