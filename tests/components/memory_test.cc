// A training step under a memory budget, and with allocations that fail: the same gradient.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/layer_gemms.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/memory_estimate.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/pipeline/trained_parameters.h"
#include "framework/training/example_streams.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/failing_allocations.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

std::string config_text(const std::string& tok2vec) {
  return small::nlp_section(R"(["tok2vec", "ner"])") + small::tok2vec_section(tok2vec) +
         small::ner_section(small::listener(48), {.hidden = 32});
}

const std::string kHashEmbedCnn =
    small::hash_embed_cnn({.width = 48, .depth = 2, .pieces = 3, .subwords = true});

class MemoryTest : public ::testing::Test {
 protected:
  void SetUp() override { make(kHashEmbedCnn); }

  void make(const std::string& tok2vec) {
    Catalogue catalogue;
    add_builtin(catalogue);
    Problems problems;
    const Config config = read_cfg(config_text(tok2vec), "test", problems, {.interpolate = false});
    nlp_ = build_pipeline(fill_pipeline_config(config, catalogue, problems), catalogue);
    examples_.clear();
    for (int i = 0; i < 60; ++i) examples_.push_back(document(3 + i % 17, i));
    nlp_->initialize([this] {
      return stream_of([this, next = std::size_t{0}]() mutable -> ExamplePtr {
        return next < examples_.size() ? examples_[next++] : nullptr;
      });
    });
    // The upper layer starts with zeros, which hand nothing down.
    std::vector<Example> copies;
    for (const ExamplePtr& example : examples_) copies.push_back(*example);
    for (int step = 0; step < 3; ++step) nlp_->update(copies);
    for (const NamedParameter& named : trained_parameters(*nlp_, {})) {
      const Tensor& value = named.parameter->value;
      parameter_bytes_.push_back(value.bytes());
      if (value.shape().rank() != 3) continue;
      const std::int64_t pieces = value.dim(1), inputs = value.dim(2);
      // Layers of the encoder see windows of three rows.
      const std::int64_t parts = inputs == 3 * value.dim(0) ? 3 : 1;
      const std::int32_t seen[3] = {};
      const cpu::WideRows rows{nullptr, inputs / parts, inputs / parts, parts == 1 ? nullptr : seen,
                               parts};
      const cpu::PackedSizes packed =
          cpu::packed_sizes({rows, nullptr, nullptr, value.dim(0) * pieces, pieces});
      parameter_bytes_.push_back(packed.forward);
      parameter_bytes_.push_back(packed.backward);
    }
  }

  ExamplePtr document(int words, int number) const {
    std::vector<std::string> list;
    for (int i = 0; i < words; ++i) list.push_back("w" + std::to_string((number * 20 + i)));
    Doc reference = Doc::from_words(nlp_->vocab(), list);
    reference.set_ents({{number % (words - 1), number % (words - 1) + 2,
                         nlp_->vocab()->strings().add(number % 2 == 0 ? "A" : "B")}});
    auto example = std::make_shared<Example>(Example::from_reference(std::move(reference)));
    example->set_number(number + 1);
    return example;
  }

  std::vector<Example*> batch() const {
    std::vector<Example*> batch;
    for (const ExamplePtr& example : examples_) batch.push_back(example.get());
    return batch;
  }

  // All gradients of one batch one behind the other; `runner` is used as it is.
  std::vector<float> gradients(ShardRunner& runner) {
    losses_ = runner.accumulate(batch(), 0.2, 5);
    std::vector<float> all;
    for (const NamedParameter& named : runner.parameters()) {
      const Tensor* gradient = runner.gradients().find(*named.parameter);
      if (gradient == nullptr) continue;
      const float* values = gradient->data<float>();
      all.insert(all.end(), values, values + gradient->size());
    }
    runner.gradients().clear();
    return all;
  }
  std::vector<float> gradients(ShardRunnerOptions options, int threads = 1) {
    WorkerPool pool(threads);
    ShardRunner runner(*nlp_, pool, std::move(options));
    return gradients(runner);
  }

  // The length of the difference as a share of the gradient's.
  static double difference(const std::vector<float>& left, const std::vector<float>& right) {
    if (left.size() != right.size() || left.empty()) return INFINITY;
    double squares = 0.0, difference = 0.0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      squares += double{left[i]} * left[i];
      difference += (double{left[i]} - right[i]) * (double{left[i]} - right[i]);
    }
    return std::sqrt(difference / squares);
  }

  // Scratch memory of kernels has sizes of its own, and how much of it is held at once depends on
  // which threads happen to run together: the pools get enough for all of them. The memory of
  // documents goes back.
  void take_what_does_not_depend_on_length(ShardRunner& runner) {
    constexpr std::size_t kLargest = std::size_t{1} << 20, kThreads = 4;
    {
      std::vector<cpu::ScratchMemory> held;
      for (int use = 0; use <= static_cast<int>(cpu::ScratchUse::sums); ++use) {
        for (std::size_t i = 0; i < kThreads; ++i) {
          held.emplace_back(static_cast<cpu::ScratchUse>(use), kLargest);
        }
      }
    }
    gradients(runner);
    runner.release_memory();
  }

  // Arrays of the parameters' sizes, and packed weights, are needed whatever the length of a shard.
  bool is_of_step(std::size_t bytes) const {
    return std::find(parameter_bytes_.begin(), parameter_bytes_.end(), bytes) ==
           parameter_bytes_.end();
  }

  std::shared_ptr<Language> nlp_;
  std::vector<ExamplePtr> examples_;
  std::vector<std::size_t> parameter_bytes_;
  Losses losses_;
};

TEST_F(MemoryTest, AnAllocationThatFailsOnceChangesNoByte) {
  WorkerPool pool(1);
  ShardRunner runner(*nlp_, pool, {.seed = 3});
  const std::vector<float> whole = gradients(runner);
  ASSERT_FALSE(whole.empty());
  const Losses losses = losses_;
  ASSERT_GT(losses.at("tok2vec"), 0.0);
  std::atomic<int> asked = 0;
  {
    const FailingAllocations count([&](std::size_t) { return ++asked < 0; });
    ASSERT_EQ(gradients(runner), whole);
  }
  const int allocations = asked;
  ASSERT_GT(allocations, 100);
  for (int at = 1; at <= allocations; at += 7) {
    asked = 0;
    const FailingAllocations one([&](std::size_t) { return ++asked == at; });
    ASSERT_EQ(gradients(runner), whole) << "allocation " << at << " of " << allocations;
    ASSERT_EQ(losses_, losses) << at;
  }
}

TEST_F(MemoryTest, SeveralFailuresWithSeveralThreadsChangeNoByte) {
  const std::vector<float> whole = gradients({.seed = 3});
  for (const int threads : {2, 4}) {
    WorkerPool pool(threads);
    ShardRunner runner(*nlp_, pool, {.seed = 3});
    ASSERT_EQ(gradients(runner), whole);
    for (int run = 0; run < 20; ++run) {
      // Shards fail while others run; none does once it is alone.
      std::atomic<int> asked = 0;
      const FailingAllocations some([&](std::size_t) {
        const int now = ++asked;
        return now == 10 + run || now == 35 + run;
      });
      ASSERT_EQ(gradients(runner), whole) << run;
    }
  }
}

// The system gives no large pieces any more: shards are halved until their arrays are small.
TEST_F(MemoryTest, ShardsThatNeverFitAreHalved) {
  const std::vector<float> whole = gradients({.seed = 3});
  const Losses losses = losses_;
  for (const std::size_t most : {60000u, 30000u, 16000u}) {
    WorkerPool pool(2);
    ShardRunner runner(*nlp_, pool, {.seed = 3});
    take_what_does_not_depend_on_length(runner);
    std::atomic<int> failed = 0;
    const FailingAllocations large(
        [&](std::size_t bytes) { return bytes > most && is_of_step(bytes) && ++failed > 0; });
    const std::vector<float> halved = gradients(runner);
    EXPECT_GT(failed, 0) << most;
    EXPECT_LE(difference(whole, halved), 1e-6) << most;
    for (const auto& [name, loss] : losses) EXPECT_NEAR(losses_[name], loss, 1e-5 * loss) << name;
  }
}

TEST_F(MemoryTest, ADocumentThatDoesNotFitAloneIsNamed) {
  examples_.push_back(document(400, 77));
  examples_.back()->set_place({std::make_shared<const std::string>("long.jsonl"), 12, 9});
  WorkerPool pool(1);
  ShardRunner runner(*nlp_, pool, {.seed = 3});
  take_what_does_not_depend_on_length(runner);
  const FailingAllocations large(
      [&](std::size_t bytes) { return bytes > 60000 && is_of_step(bytes); });
  try {
    gradients(runner);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
    EXPECT_THAT(error.what(), HasSubstr("long.jsonl:12, document 9: a document of 400 tokens"));
  }
}

TEST_F(MemoryTest, ABudgetHoldsAndKeepsTheGradient) {
  const std::vector<float> whole = gradients({.seed = 3});
  WorkerPool unlimited_pool(1);
  ShardRunner unlimited(*nlp_, unlimited_pool, {.seed = 3});
  gradients(unlimited);
  for (const double share : {0.6, 0.3, 0.1}) {
    const double budget = share * static_cast<double>(unlimited.peak());
    std::vector<float> first;
    for (const int threads : {1, 4}) {
      WorkerPool pool(threads);
      ShardRunner runner(*nlp_, pool, {.seed = 3, .memory = budget});
      const std::vector<float> cut = gradients(runner);
      EXPECT_LE(static_cast<double>(runner.peak()), budget) << share;
      EXPECT_LE(difference(whole, cut), 1e-6) << share;
      if (threads == 1) first = cut;
      EXPECT_EQ(first, cut) << "the number of threads is no part of a result";
    }
  }
}

TEST_F(MemoryTest, ShardsThatFitOneByOneGiveTheSameBytes) {
  const std::vector<float> whole = gradients({.seed = 3});
  double longest = 0.0;
  std::vector<std::size_t> lengths;
  for (const ExamplePtr& example : examples_) {
    lengths.push_back(static_cast<std::size_t>(example->size()));
  }
  for (const Shard& shard : cut_into_shards(lengths)) {
    double tokens = 0.0;
    for (std::size_t i = shard.begin; i < shard.end; ++i) tokens += static_cast<double>(lengths[i]);
    longest = std::max(longest, tokens);
  }
  const TrainingBytes bytes = training_bytes(*nlp_);
  const double budget =
      bytes.per_token * longest + bytes.per_document * static_cast<double>(lengths.size());
  EXPECT_EQ(gradients({.seed = 3, .memory = budget}), whole);
}

TEST_F(MemoryTest, OneLongDocumentAmongShortOnesStaysWithinTheBudget) {
  examples_.push_back(document(10000, 5));
  const double budget = training_bytes(*nlp_).of(std::vector<std::size_t>{10050});
  WorkerPool pool(4);
  ShardRunner runner(*nlp_, pool, {.seed = 3, .memory = budget});
  gradients(runner);
  EXPECT_LE(static_cast<double>(runner.peak()), budget);
  ShardRunner small(*nlp_, pool, {.seed = 3, .memory = budget / 2});
  try {
    gradients(small);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
    EXPECT_THAT(error.what(), HasSubstr("document 6 of the corpus: a document of 10000 tokens"));
    EXPECT_THAT(error.what(), HasSubstr("[system] memory leaves"));
  }
}

// Estimates come from shapes alone; they have to be near what is taken, and not below.
TEST_F(MemoryTest, EstimatesAreNearWhatIsTaken) {
  const std::vector<std::string> models = {kHashEmbedCnn,
                                           R"(@architectures = "spacy.Tok2Vec.v2"

[components.tok2vec.model.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = 48
attrs = ["NORM", "PREFIX", "SUFFIX", "SHAPE"]
rows = [200, 100, 100, 100]
include_static_vectors = false

[components.tok2vec.model.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 48
window_size = 2
maxout_pieces = 2
depth = 4
)",
                                           R"(@architectures = "spacy.Tok2Vec.v2"

[components.tok2vec.model.embed]
@architectures = "spacy.CharacterEmbed.v2"
width = 48
rows = 200
nM = 16
nC = 4
include_static_vectors = false
feature = "LOWER"

[components.tok2vec.model.encode]
@architectures = "spacy.MishWindowEncoder.v2"
width = 48
window_size = 1
depth = 3
)",
                                           R"(@architectures = "spacy-legacy.Tok2Vec.v1"

[components.tok2vec.model.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = 48
attrs = ["NORM", "PREFIX"]
rows = [200, 100]
include_static_vectors = false

[components.tok2vec.model.encode]
@architectures = "spacy-legacy.MaxoutWindowEncoder.v1"
width = 48
window_size = 1
maxout_pieces = 3
depth = 4
)"};
  for (const std::string& model : models) {
    make(model);
    WorkerPool pool(1);
    ShardRunner runner(*nlp_, pool, {.seed = 3});
    gradients(runner);
    double tokens = 0.0;
    std::vector<std::size_t> lengths;
    for (const ExamplePtr& example : examples_) {
      tokens += example->size();
      lengths.push_back(static_cast<std::size_t>(example->size()));
    }
    const double estimated = training_bytes(*nlp_).of(lengths);
    const double measured = static_cast<double>(runner.peak());
    EXPECT_GE(estimated, measured) << model << measured / tokens;
    EXPECT_LE(estimated, 1.6 * measured) << model << measured / tokens;
  }
}

}  // namespace
}  // namespace weft
