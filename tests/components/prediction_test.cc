// The prediction for a text does not depend on the texts beside it.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "components/builtin.h"
#include "framework/nn/model.h"
#include "framework/ops/context.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/measure_speed.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

constexpr const char* kConfig = R"([nlp]
lang = "en"
pipeline = ["ner"]

[components]

[components.ner]
factory = "ner"

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.005
)";

class PredictionTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    Catalogue catalogue;
    add_builtin(catalogue);
    Problems problems;
    const Config config = read_cfg(kConfig, "test", problems, {.interpolate = false});
    nlp_ = build_pipeline(fill_pipeline_config(config, catalogue, problems), catalogue);
    std::vector<Example> examples;
    for (int i = 0; i < 60; ++i) {
      const std::string name = kNames[static_cast<std::size_t>(i) % std::size(kNames)];
      examples.push_back(Example::from_offsets(nlp_->make_doc(name + " went home ."),
                                               {{0, name.size(), i % 2 == 0 ? "PER" : "ORG"}}));
    }
    nlp_->initialize(examples);
    for (int step = 0; step < 12; ++step) nlp_->update(examples, {.drop = 0.1});
    make_texts();
  }
  static void TearDownTestSuite() { nlp_.reset(); }

  // From no word to some hundred, names in many places.
  static void make_texts() {
    std::mt19937 random(5);
    texts_.clear();
    for (int i = 0; i < 120; ++i) {
      std::string text;
      const auto words = i % 10 == 0 ? 150 + random() % 200 : random() % 25;
      for (unsigned k = 0; k < words; ++k) {
        if (k > 0) text += ' ';
        const bool named = random() % 4 == 0;
        text += named ? std::string(kNames[random() % std::size(kNames)])
                      : "word" + std::to_string(random() % 300);
      }
      texts_.push_back(text);
    }
  }

  static std::string ents_of(const Doc& doc) {
    std::string text;
    for (const Span& ent : doc.ents()) {
      text += fmt::format("{}-{} {} ", ent.start, ent.end, doc.string(ent.label));
    }
    return text;
  }
  static std::vector<std::string> ents_of(const std::vector<Doc>& docs) {
    std::vector<std::string> all;
    for (const Doc& doc : docs) all.push_back(ents_of(doc));
    return all;
  }
  static std::vector<std::string> one_by_one() {
    std::vector<std::string> all;
    for (const std::string& text : texts_) all.push_back(ents_of((*nlp_)(text)));
    return all;
  }

  static constexpr const char* kNames[] = {"Ada",  "Grace Hopper", "Siemens", "Alan Turing",
                                           "Acme", "Edsger",       "Barbara", "Initech"};
  static std::shared_ptr<Language> nlp_;
  static std::vector<std::string> texts_;
};
std::shared_ptr<Language> PredictionTest::nlp_;
std::vector<std::string> PredictionTest::texts_;

TEST_F(PredictionTest, EntitiesDependOnTheTextAlone) {
  const std::vector<std::string> alone = one_by_one();
  const auto found = std::count_if(alone.begin(), alone.end(),
                                   [](const std::string& ents) { return !ents.empty(); });
  ASSERT_GT(found, 50) << "there has to be something that could differ";
  for (const std::size_t batch_size : {1u, 7u, 1000u}) {
    for (const int threads : {1, 3}) {
      EXPECT_EQ(ents_of(nlp_->pipe(texts_, {.batch_size = batch_size, .threads = threads})), alone)
          << batch_size << " " << threads;
    }
  }
}

TEST_F(PredictionTest, TheOrderOfTextsDoesNotMatter) {
  const std::vector<std::string> alone = one_by_one();
  std::vector<std::size_t> order(texts_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937 random(9);
  for (int run = 0; run < 3; ++run) {
    std::shuffle(order.begin(), order.end(), random);
    std::vector<std::string> texts;
    for (const std::size_t i : order) texts.push_back(texts_[i]);
    const std::vector<std::string> found = ents_of(nlp_->pipe(texts));
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], alone[order[i]]);
  }
}

// A row's rounding may depend on the height of its matrix, by no more than this.
TEST_F(PredictionTest, TokenVectorsAgreeWhateverIsBesideThem) {
  const Model& tok2vec = nlp_->find("ner")->models().front()->ref("tok2vec");
  std::vector<Doc> docs;
  for (const std::string& text : texts_) docs.push_back(nlp_->make_doc(text));
  std::vector<const Doc*> all;
  for (const Doc& doc : docs) all.push_back(&doc);
  Context together;
  const FlushDenormals flush;
  const Tensor vectors = std::get<Tensor>(tok2vec.predict(together, DocBatch(all)));
  std::int64_t row = 0;
  double difference = 0.0, largest = 0.0;
  for (const Doc* doc : all) {
    if (doc->empty()) continue;
    Context ctx;
    const std::vector<const Doc*> alone = {doc};
    const Tensor own = std::get<Tensor>(tok2vec.predict(ctx, DocBatch(alone)));
    const Tensor same = vectors.rows(row, row + doc->size());
    for (std::int64_t i = 0; i < own.size(); ++i) {
      const double value = own.data<float>()[i];
      difference = std::max(difference, std::abs(value - same.data<float>()[i]));
      largest = std::max(largest, std::abs(value));
    }
    row += doc->size();
  }
  EXPECT_EQ(row, vectors.dim(0));
  EXPECT_GT(largest, 0.1);
  EXPECT_LE(difference / largest, 1e-5);
}

// OpenBLAS chooses its kernels when a process starts.
TEST(PredictionWithOtherKernelsTest, TheSameHoldsWithThoseForHaswell) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor cannot run them";
  const std::string self = "/proc/" + std::to_string(::getpid()) + "/exe";
  const std::string command =
      "OPENBLAS_CORETYPE=Haswell " + self + " --gtest_filter='PredictionTest.*' > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
#else
  GTEST_SKIP() << "another family of processors";
#endif
}

// Tokens and annotation of what is measured would take more than its prediction.
TEST_F(PredictionTest, SpeedIsMeasuredOnTextsOrOnWordsWithoutAnnotation) {
  Doc known = nlp_->make_doc("Anna went home .");
  Doc unknown = Doc::from_words(nlp_->vocab(), {"Anna", "went"});
  unknown.set_ents({{0, 1, nlp_->vocab()->strings().add("PER")}});
  const std::vector<SpeedInput> inputs = speed_inputs({known, unknown});
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs[0].text, "Anna went home .");
  EXPECT_EQ(inputs[0].words, nullptr);
  ASSERT_NE(inputs[1].words, nullptr);
  EXPECT_EQ(inputs[1].words->word(1), "went");
  EXPECT_FALSE(inputs[1].words->has_ents());
  WorkerPool pool(1);
  const SpeedMeasurement measured = measure_speed(*nlp_, inputs, pool, {.repeats = 2, .warmup = 0});
  EXPECT_EQ(measured.words, 6);
  EXPECT_EQ(measured.words_per_second.size(), 2U);
}

}  // namespace
}  // namespace weft
