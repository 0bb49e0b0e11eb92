// Text classifiers as a pipeline has them: labels, training, saving, further labels.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "components/builtin.h"
#include "components/pipes/category_annotation.h"
#include "components/pipes/text_categorizer.h"
#include "framework/io/atomic_file.h"
#include "framework/nn/model_file.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/training/example_streams.h"
#include "framework/training/optimizer.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/building.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Cats = std::vector<TextCategory>;

std::string config_of(const std::string& factory, const std::string& architecture) {
  const bool exclusive = factory == "textcat";
  return "[nlp]\nlang = \"en\"\npipeline = [\"textcat\"]\n\n[components]\n\n[components.textcat]\n"
         "factory = \"" +
         factory + "\"\n\n[components.textcat.model]\n@architectures = \"spacy." + architecture +
         "\"\nexclusive_classes = " + (exclusive ? "true" : "false") + "\n";
}
const std::string kBow = "ngram_size = 1\nno_output_layer = false\nlength = 64\n";
const std::string kTok2Vec = "\n[components.textcat.model.tok2vec]\n" +
                             small::hash_embed_cnn({.width = 8, .rows = 40, .subwords = true});

class TextCategorizerTest : public ::testing::Test {
 protected:
  using Words = std::vector<std::string>;

  TextCategorizerTest() { add_builtin(catalogue_); }
  ~TextCategorizerTest() override { fs::remove_all(folder_); }

  std::shared_ptr<Language> pipeline(const std::string& text) {
    Problems problems;
    const Config read = read_cfg(text, "test", problems, {.interpolate = false});
    const Config config = fill_pipeline_config(read, catalogue_, problems);
    for (const Problem& problem : problems) ADD_FAILURE() << problem.str();
    return build_pipeline(config, catalogue_);
  }
  static ExamplePtr example(const Language& nlp, const Words& words, Cats cats) {
    Doc reference = Doc::from_words(nlp.vocab(), words);
    reference.set_cats(std::move(cats));
    return std::make_shared<Example>(Example::from_reference(std::move(reference)));
  }
  static std::vector<ExamplePtr> data(const Language& nlp) {
    return {example(nlp, {"play", "a", "song"}, {{"music", 1.0}, {"food", 0.0}}),
            example(nlp, {"book", "a", "table"}, {{"food", 1.0}, {"music", 0.0}}),
            example(nlp, {"play", "it", "loud"}, {{"music", 1.0}, {"food", 0.0}}),
            example(nlp, {}, {{"food", 1.0}})};
  }
  static void initialize(Language& nlp, const std::vector<ExamplePtr>& examples,
                         const Object& settings = {}) {
    Context ctx;
    InitRandom random(1);
    const auto stream = [&] {
      return stream_of([&examples, next = std::size_t{0}]() mutable -> ExamplePtr {
        return next < examples.size() ? examples[next++] : nullptr;
      });
    };
    InitContext init{ctx, random, stream, std::span(examples).first(2), settings};
    nlp.find("textcat")->initialize(init);
  }
  static Losses train(Language& nlp, const std::vector<ExamplePtr>& examples, Optimizer& optimizer,
                      int step, int threads = 1) {
    WorkerPool pool(threads);
    ShardRunner runner(nlp, pool, {});
    std::vector<Example*> batch;
    for (const ExamplePtr& example : examples) batch.push_back(example.get());
    const Losses losses = runner.accumulate(batch, 0.1, static_cast<std::uint64_t>(step));
    std::vector<NamedParameter> parameters;
    for (Model* node : nlp.find("textcat")->models()[0]->walk()) {
      for (const auto& parameter : node->params()) {
        parameters.push_back({node->site() + "/" + parameter->name, parameter.get()});
      }
    }
    Context ctx;
    optimizer.step(ctx, parameters, runner.gradients());
    return losses;
  }
  static OptimizerPtr adam() {
    return testing::build<OptimizerPtr>("@optimizers = \"Adam.v1\"\nlearn_rate = 0.05\n");
  }
  std::shared_ptr<Language> trained(const std::string& config, int steps = 60) {
    auto nlp = pipeline(config);
    const auto examples = data(*nlp);
    initialize(*nlp, examples);
    const auto optimizer = adam();
    for (int step = 0; step < steps; ++step) train(*nlp, examples, *optimizer, step);
    return nlp;
  }
  static double score_of(const Language& nlp, const Words& words, const std::string& label) {
    Doc doc = Doc::from_words(nlp.vocab(), words);
    Doc* const docs[] = {&doc};
    nlp.annotate(docs);
    for (const TextCategory& cat : doc.cats()) {
      if (cat.label == label) return std::get<double>(cat.value);
    }
    return -1;
  }
  static std::string message_of(const std::function<void()>& run) {
    try {
      run();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }

  Catalogue catalogue_;
  fs::path folder_ = fs::temp_directory_path() / ("weft_textcat_test" + std::to_string(::getpid()));
};

class EachTextCategorizer : public TextCategorizerTest,
                            public ::testing::WithParamInterface<std::string> {};

TEST_P(EachTextCategorizer, LearnsAFewTextsByHeartAndIsTheSameFromItsFiles) {
  const auto nlp = trained(GetParam());
  EXPECT_GT(score_of(*nlp, {"play", "a", "song"}, "music"), 0.7);
  EXPECT_LT(score_of(*nlp, {"book", "a", "table"}, "music"), 0.3);
  EXPECT_EQ(score_of(*nlp, {}, "music"), 0.0) << "no text, no score";
  nlp->to_disk(folder_ / "saved");
  const auto loaded = load_pipeline(folder_ / "saved", catalogue_);
  EXPECT_EQ(score_of(*loaded, {"play", "it"}, "food"), score_of(*nlp, {"play", "it"}, "food"));
  loaded->to_disk(folder_ / "again");
  for (const char* file : {"textcat/model", "textcat/cfg"}) {
    EXPECT_EQ(read_file(folder_ / "saved" / file), read_file(folder_ / "again" / file)) << file;
  }
}

TEST_P(EachTextCategorizer, GivesTheSameBytesForAnyNumberOfThreads) {
  std::string bytes;
  for (const int threads : {1, 3}) {
    auto nlp = pipeline(GetParam());
    std::vector<ExamplePtr> examples;
    for (int i = 0; i < 60; ++i) {
      Words words;
      for (int k = 0; k < 30; ++k) words.push_back("w" + std::to_string((7 * i + 5 * k) % 90));
      const bool music = i % 2 == 0;
      examples.push_back(example(*nlp, words, {{"music", music}, {"food", !music}}));
    }
    initialize(*nlp, examples);
    const auto optimizer = adam();
    for (int step = 0; step < 3; ++step) train(*nlp, examples, *optimizer, step, threads);
    const std::string model = model_to_bytes(*nlp->find("textcat")->models()[0]);
    if (!bytes.empty()) {
      EXPECT_TRUE(bytes == model);
    }
    bytes = model;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, EachTextCategorizer,
    ::testing::Values(config_of("textcat", "TextCatBOW.v3") + kBow,
                      config_of("textcat_multilabel", "TextCatBOW.v3") + kBow,
                      config_of("textcat", "TextCatCNN.v2") + kTok2Vec,
                      config_of("textcat_multilabel", "TextCatParametricAttention.v1") + kTok2Vec));

TEST_F(TextCategorizerTest, LabelsComeInTheOrderOfTheData) {
  auto nlp = pipeline(config_of("textcat", "TextCatBOW.v3") + kBow);
  initialize(*nlp, data(*nlp));
  EXPECT_EQ(nlp->find("textcat")->labels(), (std::vector<std::string>{"music", "food"}));
  auto other = pipeline(config_of("textcat", "TextCatBOW.v3") + kBow);
  Object settings;
  settings.set("labels", List{"x", "y", "z"});
  initialize(*other, data(*other), settings);
  EXPECT_EQ(other->find("textcat")->labels(), (std::vector<std::string>{"x", "y", "z"}));
}

TEST_F(TextCategorizerTest, TooFewLabelsAreRefused) {
  auto nlp = pipeline(config_of("textcat", "TextCatBOW.v3") + kBow);
  const std::vector<ExamplePtr> one = {example(*nlp, {"a"}, {{"only", 1.0}}),
                                       example(*nlp, {"b"}, {})};
  EXPECT_THAT(message_of([&] { initialize(*nlp, one); }), HasSubstr("two at least"));
  Object settings;
  settings.set("labels", List{"only"});
  auto given = pipeline(config_of("textcat", "TextCatBOW.v3") + kBow);
  EXPECT_THAT(message_of([&] { initialize(*given, data(*given), settings); }),
              HasSubstr("[initialize.components.textcat] labels: one label, it needs two"));
  auto several = pipeline(config_of("textcat_multilabel", "TextCatBOW.v3") + kBow);
  initialize(*several, one);
  const std::vector<ExamplePtr> none = {example(*several, {"a"}, {}), example(*several, {"b"}, {})};
  auto other = pipeline(config_of("textcat_multilabel", "TextCatBOW.v3") + kBow);
  EXPECT_THAT(message_of([&] { initialize(*other, none); }), HasSubstr("no label"));
}

TEST_F(TextCategorizerTest, ThePositiveLabelIsOneOfTwo) {
  Object settings;
  settings.set("positive_label", "food");
  auto nlp = pipeline(config_of("textcat", "TextCatBOW.v3") + kBow);
  initialize(*nlp, data(*nlp), settings);
  nlp->to_disk(folder_);
  EXPECT_THAT(read_file(folder_ / "textcat/cfg"), HasSubstr("\"positive_label\": \"food\""));
  settings.set("positive_label", "drink");
  auto other = pipeline(config_of("textcat", "TextCatBOW.v3") + kBow);
  EXPECT_THAT(message_of([&] { initialize(*other, data(*other), settings); }),
              HasSubstr("none of the labels"));
}

TEST_F(TextCategorizerTest, ValuesThatMakeNoSenseAreRefusedWithTheirPlace) {
  auto nlp = pipeline(config_of("textcat", "TextCatBOW.v3") + kBow);
  for (const Cats& cats : {Cats{{"a", 1.0}, {"b", 1.0}}, Cats{{"a", 0.5}, {"b", 1.0}}}) {
    std::vector<ExamplePtr> examples = {example(*nlp, {"x"}, {{"a", 1.0}, {"b", 0.0}}),
                                        example(*nlp, {"y"}, cats)};
    examples[1]->set_place({std::make_shared<const std::string>("train.csv"), 7, 6});
    const std::string message = message_of([&] { initialize(*nlp, examples); });
    EXPECT_THAT(message, HasSubstr("train.csv:7"));
    EXPECT_THAT(message, HasSubstr(cats[0].value == CategoryValue(0.5) ? "is 0.5" : "both 1"));
  }
}

// Squared differences over all numbers, unknown ones too.
TEST_F(TextCategorizerTest, TheLossIsTheMeanOverAllLabels) {
  auto nlp = pipeline(config_of("textcat_multilabel", "TextCatBOW.v3") + kBow);
  const std::vector<ExamplePtr> examples = {example(*nlp, {"x"}, {{"a", 1.0}, {"b", 0.0}}),
                                            example(*nlp, {"y"}, {{"a", 0.0}})};
  initialize(*nlp, examples);
  const auto optimizer = adam();
  const Losses losses = train(*nlp, examples, *optimizer, 0);
  EXPECT_NEAR(losses.at("textcat"), 3 * 0.25 / 4, 1e-6) << "all scores start at one half";
}

TEST_F(TextCategorizerTest, FurtherLabelsAreLearnt) {
  const auto nlp = trained(config_of("textcat", "TextCatBOW.v3") + kBow);
  Component& textcat = *nlp->find("textcat");
  EXPECT_TRUE(textcat.add_label("travel"));
  EXPECT_FALSE(textcat.add_label("travel"));
  EXPECT_NEAR(score_of(*nlp, {"play", "a", "song"}, "travel"), 0.0, 1e-6);
  auto examples = data(*nlp);
  examples.push_back(example(*nlp, {"fly", "home"}, {{"travel", 1.0}}));
  const auto optimizer = adam();
  for (int step = 0; step < 60; ++step) train(*nlp, examples, *optimizer, step);
  nlp->to_disk(folder_);
  const auto loaded = load_pipeline(folder_, catalogue_);
  EXPECT_EQ(loaded->find("textcat")->labels(),
            (std::vector<std::string>{"music", "food", "travel"}));
  EXPECT_GT(score_of(*loaded, {"play", "a", "song"}, "music"), 0.7);
}

TEST_F(TextCategorizerTest, ANetworkThatCannotGrowSaysSo) {
  const auto nlp = trained(config_of("textcat", "TextCatParametricAttention.v1") + kTok2Vec, 1);
  EXPECT_THAT(message_of([&] { nlp->find("textcat")->add_label("travel"); }),
              HasSubstr("cannot learn the further label"));
}

TEST_F(TextCategorizerTest, CfgFilesThatDoNotFitAreRefused) {
  const auto nlp = trained(config_of("textcat", "TextCatBOW.v3") + kBow, 1);
  nlp->to_disk(folder_);
  for (const char* cfg :
       {"[]", "{}", R"({"labels": ["a"]})", R"({"labels": ["a", "a"]})", R"({"labels": [1, 2]})",
        R"({"labels": ["a", "b"], "threshold": 2})",
        R"({"labels": ["a", "b"], "threshold": 99999999999999999999})",
        R"({"labels": ["a", "b"], "positive_label": "c"})", R"({"labels": ["a", "b", "c"]})"}) {
    write_file(folder_ / "textcat/cfg", cfg);
    try {
      load_pipeline(folder_, catalogue_);
      ADD_FAILURE() << cfg;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data) << cfg;  // of a file, and no mistake of the config
    }
  }
}

TEST_F(TextCategorizerTest, LowDataIsRefusedByName) {
  Problems problems;
  const Config config =
      read_cfg("[block]\n@architectures = \"spacy.TextCatLowData.v1\"\nwidth = 8\ndropout = null\n",
               "test", problems);
  resolve_at(config, "block", catalogue_, {}, problems);
  ASSERT_TRUE(has_errors(problems));
  EXPECT_THAT(problems.front().str(), HasSubstr("cannot be initialised in spaCy 3.8"));
}

TEST(CategoryAnnotation, TellsOfContradictions) {
  const auto vocab = std::make_shared<Vocab>("en");
  const auto faults = [&](bool exclusive, Cats cats) {
    PlacedDoc placed{.doc = Doc::from_words(vocab, {"a"}), .file = "f"};
    placed.doc.set_cats(std::move(cats));
    std::vector<DataFault> found;
    const auto tell = [&](const DataProblem& problem) { found.push_back(problem.fault); };
    category_annotation(exclusive).check_presence(placed, tell);
    category_annotation(exclusive).check(placed, nullptr, tell);
    return found;
  };
  using Faults = std::vector<DataFault>;
  EXPECT_EQ(faults(true, {{"a", 1.0}, {"b", 0.0}}), Faults());
  EXPECT_EQ(faults(true, {{"a", 1.0}, {"b", true}}), Faults{DataFault::contradiction});
  EXPECT_EQ(faults(false, {{"a", 1.0}, {"b", true}}), Faults());
  EXPECT_EQ(faults(true, {{"a", 0.0}}), Faults{DataFault::not_annotated});
  EXPECT_EQ(faults(false, {{"a", 0.0}}), Faults());
  EXPECT_EQ(faults(false, {}), Faults{DataFault::not_annotated});
  EXPECT_EQ(faults(false, {{"a", 0.3}}), Faults{DataFault::contradiction});
}

}  // namespace
}  // namespace weft
