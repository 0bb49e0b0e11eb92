// Components for spans as a pipeline has them: labels, training, saving, what they refuse.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "components/builtin.h"
#include "components/pipes/span_network.h"
#include "framework/io/atomic_file.h"
#include "framework/nn/model_file.h"
#include "framework/pipeline/annotation_kind.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/training/example_streams.h"
#include "framework/training/optimizer.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"
#include "tests/components/building.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

struct LabelledSpan {
  int start, end;
  std::string label;
};

std::string config_of(const std::string& factory, const std::string& settings = "") {
  const bool finds = factory == "span_finder";
  return small::nlp_section("[\"it\"]") + "\n[components.it]\nfactory = \"" + factory + "\"\n" +
         settings + "\n[components.it.model]\n@architectures = \"spacy." +
         (finds ? "SpanFinder" : "SpanCategorizer") + ".v1\"\n\n[components.it.model.scorer]\n" +
         "@layers = \"" +
         (factory == "spancat_singlelabel" ? "Softmax.v2" : "spacy.LinearLogistic.v1") + "\"\n" +
         (finds ? ""
                : "\n[components.it.model.reducer]\n@layers = \"spacy.mean_max_reducer.v1\"\n"
                  "hidden_size = 8\n") +
         "\n[components.it.model.tok2vec]\n" + small::hash_embed_cnn();
}

class SpanComponents : public ::testing::Test {
 protected:
  SpanComponents() { add_builtin(catalogue_); }
  ~SpanComponents() override { fs::remove_all(folder_); }

  std::shared_ptr<Language> pipeline(const std::string& text) {
    Problems problems;
    const Config read = read_cfg(text, "test", problems, {.interpolate = false});
    const Config config = fill_pipeline_config(read, catalogue_, problems);
    if (!problems.empty()) throw Error(ErrorKind::config, problems.front().str());
    return build_pipeline(config, catalogue_);
  }
  static ExamplePtr example(const Language& nlp, const Words& words,
                            const std::vector<LabelledSpan>& spans, const std::string& key = "sc") {
    Doc reference = Doc::from_words(nlp.vocab(), words);
    SpanGroup group{key, {}, {}};
    for (const LabelledSpan& span : spans) {
      group.spans.push_back({span.start, span.end, nlp.vocab()->strings().add(span.label)});
    }
    reference.set_span_group(key, std::move(group));
    return std::make_shared<Example>(Example::from_reference(std::move(reference)));
  }
  static std::vector<ExamplePtr> data(const Language& nlp) {
    return {example(nlp, {"a", "blue", "bird", "sang"}, {{0, 3, "NP"}, {1, 2, "COLOUR"}}),
            example(nlp, {"we", "saw", "a", "red", "boat"}, {{2, 5, "NP"}, {3, 4, "COLOUR"}}),
            example(nlp, {"it", "rained", "again"}, {}), example(nlp, {}, {})};
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
    InitContext init{ctx, random, stream, examples, settings};
    nlp.find("it")->initialize(init);
  }
  static Losses train(Language& nlp, const std::vector<ExamplePtr>& examples, Optimizer& optimizer,
                      int step, int threads = 1, bool one_shard = false) {
    WorkerPool pool(threads);
    ShardRunner runner(nlp, pool, {.one_shard = one_shard});
    std::vector<Example*> batch;
    for (const ExamplePtr& example : examples) batch.push_back(example.get());
    const Losses losses = runner.accumulate(batch, 0.1, static_cast<std::uint64_t>(step));
    std::vector<NamedParameter> parameters;
    for (Model* node : nlp.find("it")->models()[0]->walk()) {
      for (const auto& parameter : node->params()) {
        parameters.push_back({node->site() + "/" + parameter->name, parameter.get()});
      }
    }
    Context ctx;
    optimizer.step(ctx, parameters, runner.gradients());
    return losses;
  }
  static OptimizerPtr adam() {
    return testing::build<OptimizerPtr>("@optimizers = \"Adam.v1\"\nlearn_rate = 0.03\n");
  }
  std::shared_ptr<Language> trained(const std::string& config) {
    auto nlp = pipeline(config);
    const auto examples = data(*nlp);
    initialize(*nlp, examples);
    const auto optimizer = adam();
    for (int step = 0; step < 60; ++step) train(*nlp, examples, *optimizer, step);
    return nlp;
  }
  // "0-3 NP, 1-2 COLOUR"
  static std::string spans_of(const Language& nlp, const Words& words) {
    Doc doc = Doc::from_words(nlp.vocab(), words);
    Doc* const docs[] = {&doc};
    nlp.annotate(docs);
    std::string text;
    for (const Span& span : doc.span_group("sc")->spans) {
      text += (text.empty() ? "" : ", ") + std::to_string(span.start) + "-" +
              std::to_string(span.end) + " " + std::string(doc.string(span.label));
    }
    return text;
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
  fs::path folder_ = fs::temp_directory_path() / ("weft_spancat_test" + std::to_string(::getpid()));
};

class EachSpanComponent : public SpanComponents,
                          public ::testing::WithParamInterface<const char*> {};

TEST_P(EachSpanComponent, LearnsAFewTextsByHeartAndIsTheSameFromItsFiles) {
  const auto nlp = trained(config_of(GetParam()));
  const bool finds = GetParam() == std::string("span_finder");
  EXPECT_EQ(spans_of(*nlp, {"a", "blue", "bird", "sang"}),
            finds ? "0-2 , 0-3 , 1-2 , 1-3 " : "1-2 COLOUR, 0-3 NP");
  EXPECT_EQ(spans_of(*nlp, {"it", "rained", "again"}), "");
  EXPECT_EQ(spans_of(*nlp, {}), "");
  nlp->to_disk(folder_ / "saved");
  const auto loaded = load_pipeline(folder_ / "saved", catalogue_);
  const Words other = {"we", "saw", "a", "blue", "boat"};
  EXPECT_EQ(spans_of(*loaded, other), spans_of(*nlp, other));
  loaded->to_disk(folder_ / "again");
  for (const char* file : {"it/model", "it/cfg"}) {
    EXPECT_EQ(read_file(folder_ / "saved" / file), read_file(folder_ / "again" / file)) << file;
  }
}

TEST_P(EachSpanComponent, GivesTheSameBytesForAnyNumberOfThreads) {
  std::string bytes;
  for (const int threads : {1, 3}) {
    auto nlp = pipeline(config_of(GetParam()));
    std::vector<ExamplePtr> examples;
    for (int i = 0; i < 40; ++i) {
      Words words;
      for (int k = 0; k < 30; ++k) words.push_back("w" + std::to_string((7 * i + 5 * k) % 90));
      examples.push_back(example(*nlp, words, {{i % 20, i % 20 + 3, "A"}, {4, 5, "B"}}));
    }
    initialize(*nlp, examples);
    const auto optimizer = adam();
    for (int step = 0; step < 3; ++step) train(*nlp, examples, *optimizer, step, threads);
    const std::string model = model_to_bytes(*nlp->find("it")->models()[0]);
    if (!bytes.empty()) {
      EXPECT_TRUE(bytes == model);
    }
    bytes = model;
  }
}

// Masks do not depend on how a batch was cut: the losses are the same but for the order of sums.
TEST_P(EachSpanComponent, DropsTheSameForAnyShards) {
  std::vector<double> losses;
  for (const bool one_shard : {false, true}) {
    auto nlp = pipeline(config_of(GetParam()));
    std::vector<ExamplePtr> examples;
    for (int i = 0; i < 20; ++i) {
      const Words words(30, "word");
      examples.push_back(example(*nlp, words, {{i, i + 2, "A"}}));
    }
    initialize(*nlp, examples);
    losses.push_back(train(*nlp, examples, *adam(), 0, 1, one_shard).at("it"));
  }
  EXPECT_NEAR(losses[0] / losses[1], 1.0, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, EachSpanComponent,
                         ::testing::Values("spancat", "spancat_singlelabel", "span_finder"));

TEST_F(SpanComponents, LabelsComeInTheOrderOfTheDataOrOfTheList) {
  auto nlp = pipeline(config_of("spancat"));
  initialize(*nlp, data(*nlp));
  EXPECT_EQ(nlp->find("it")->labels(), (Words{"NP", "COLOUR"}));
  EXPECT_THAT(message_of([&] { nlp->find("it")->add_label("VP"); }), HasSubstr("no further label"));
  auto other = pipeline(config_of("spancat"));
  Object settings;
  settings.set("labels", List{"VP", "COLOUR", "NP"});
  initialize(*other, data(*other), settings);
  EXPECT_EQ(other->find("it")->labels(), (Words{"VP", "COLOUR", "NP"}));
}

TEST_F(SpanComponents, AnUnknownKeyIsToldWithTheKeysThatThereAre) {
  auto nlp = pipeline(config_of("spancat", "spans_key = \"parts\"\n"));
  EXPECT_THAT(message_of([&] { initialize(*nlp, data(*nlp)); }),
              ::testing::AllOf(HasSubstr("\"parts\" (spans_key)"), HasSubstr("are \"sc\"")));
}

TEST_F(SpanComponents, AGoldLabelThatTheComponentLacksIsToldWithItsPlace) {
  auto nlp = pipeline(config_of("spancat"));
  Object settings;
  settings.set("labels", List{"NP"});
  const auto examples = data(*nlp);
  examples[1]->set_place({std::make_shared<const std::string>("train.spacy"), 0, 2});
  initialize(*nlp, examples, settings);
  EXPECT_THAT(message_of([&] { train(*nlp, {examples[1]}, *adam(), 0); }),
              ::testing::AllOf(HasSubstr("train.spacy"), HasSubstr("\"COLOUR\"")));
}

// Spans that nobody suggests, and groups with spans that have no token.
TEST_F(SpanComponents, GoldSpansThatAreNoCandidatesAreLeftOut) {
  auto nlp = pipeline(config_of("spancat"));
  const std::vector<ExamplePtr> examples = {
      example(*nlp, {"a", "b", "c", "d", "e"}, {{0, 5, "X"}, {2, 2, "X"}})};
  initialize(*nlp, examples);
  EXPECT_GT(train(*nlp, examples, *adam(), 0).at("it"), 0.0);
}

TEST_F(SpanComponents, CandidatesComeFromTheGroupOfAnEarlierComponent) {
  const std::string config =
      config_of("spancat",
                "\n[components.it.suggester]\n@misc = \"spacy.preset_spans_suggester.v1\"\n"
                "spans_key = \"cand\"\n");
  auto nlp = pipeline(config);
  const auto examples = data(*nlp);
  initialize(*nlp, examples);
  EXPECT_THAT(message_of([&] { train(*nlp, examples, *adam(), 0); }),
              HasSubstr("no span group \"cand\""));
  for (const ExamplePtr& example : examples) {
    example->predicted().set_span_group("cand", {"cand", {}, {}});
  }
  EXPECT_EQ(train(*nlp, examples, *adam(), 0).at("it"), 0.0) << "no candidate, nothing to learn";
  examples[0]->predicted().set_span_group("cand", {"cand", {}, {{0, 3}, {0, 3}, {2, 4}}});
  EXPECT_GT(train(*nlp, examples, *adam(), 1).at("it"), 0.0);
  examples[0]->predicted().set_span_group("cand", {"cand", {}, {{2, 2}}});
  EXPECT_THAT(message_of([&] { train(*nlp, examples, *adam(), 0); }),
              HasSubstr("the span from token 2 to 2"));
}

TEST_F(SpanComponents, SettingsThatMakeNoSenseAreRefused) {
  for (const char* settings :
       {"threshold = 1.5\n", "threshold = -0.1\n", "max_positive = 0\n", "negative_weight = 2\n",
        "\n[components.it.suggester]\n@misc = \"spacy.ngram_suggester.v1\"\nsizes = [1, 0]\n",
        "\n[components.it.suggester]\n@misc = \"spacy.ngram_range_suggester.v1\"\nmin_size = -1\n"
        "max_size = 2\n"}) {
    EXPECT_THROW(pipeline(config_of("spancat", settings)), Error) << settings;
  }
  EXPECT_THROW(pipeline(config_of("spancat_singlelabel", "negative_weight = -1\n")), Error);
  EXPECT_THROW(pipeline(config_of("span_finder", "max_length = 0\n")), Error);
}

TEST_F(SpanComponents, FilesThatMakeNoSenseAreRefused) {
  for (const char* factory : {"spancat_singlelabel", "span_finder"}) {
    auto nlp = pipeline(config_of(factory));
    initialize(*nlp, data(*nlp));
    nlp->to_disk(folder_);
    for (const char* cfg :
         {"[]", R"({"labels": ["NP", "NP"], "max_length": 0})",
          R"({"labels": ["NP"], "threshold": 99999999999999999999})",
          R"({"labels": ["NP"], "threshold": 3})", R"({"labels": [1], "spans_key": 2})",
          R"({"labels": ["NP", "VP", "PP"], "min_length": 1e9})",
          R"({"labels": ["NP", "COLOUR"], "max_positive": 2, "allow_overlap": false,
              "threshold": null})"}) {
      write_file(folder_ / "it/cfg", cfg);
      EXPECT_THROW(load_pipeline(folder_, catalogue_), Error) << factory << " " << cfg;
    }
    write_file(folder_ / "it/cfg", "{\"labels\": [],\n \"spans_key\": sc}");
    try {
      load_pipeline(folder_, catalogue_);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("it/cfg:2:15  no valid JSON"));
    }
  }
}

TEST_F(SpanComponents, ASettingOfAnotherTypeIsRefused) {
  auto nlp = pipeline(config_of("spancat_singlelabel"));
  initialize(*nlp, data(*nlp));
  nlp->to_disk(folder_);
  Node cfg = *parse_json(read_file(folder_ / "it/cfg"));
  const auto with_overlap = [&](Node value) {
    cfg.as_object().set("allow_overlap", std::move(value));
    write_file(folder_ / "it/cfg", to_json(cfg));
    load_pipeline(folder_, catalogue_);
  };
  EXPECT_NO_THROW(with_overlap(Node()));
  EXPECT_NO_THROW(with_overlap(Node(true)));
  try {
    with_overlap(Node("yes"));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("allow_overlap"));
  }
}

// The kind of annotation tells `debug data` of spans that are never looked at.
TEST_F(SpanComponents, SpansOutOfReachAreFound) {
  for (const char* factory : {"spancat", "span_finder"}) {
    const bool finds = factory == std::string("span_finder");
    auto nlp = pipeline(config_of(factory, finds ? "max_length = 3\n" : ""));
    const AnnotationKind& kind = *nlp->find("it")->annotation();
    const ExamplePtr bad = example(*nlp, {"a", "b", "c", "d", " "},
                                   {{0, 4, "X"}, {1, 3, "X"}, {2, 2, "X"}, {3, 5, "X"}});
    std::vector<DataFault> faults;
    kind.check({.doc = bad->reference(), .file = "f"}, nullptr,
               [&](const DataProblem& problem) { faults.push_back(problem.fault); });
    std::sort(faults.begin(), faults.end());
    EXPECT_EQ(faults, (std::vector<DataFault>{DataFault::outside, DataFault::white_space,
                                              DataFault::out_of_reach}))
        << factory;
    EXPECT_EQ(kind.labels_in(bad->reference()).size(), 4U);
  }
}

// Labels times candidates: each is one token here.
TEST_F(SpanComponents, PredictedSpansOfADocumentHaveALimit) {
  const auto nlp = pipeline(config_of("spancat",
                                      "threshold = 0.0\nsuggester = {\"@misc\": "
                                      "\"spacy.ngram_suggester.v1\", \"sizes\": [1]}\n"));
  Object settings;
  List labels;
  for (int i = 0; i < 4096; ++i) labels.emplace_back("L" + std::to_string(i));
  settings.set("labels", std::move(labels));
  initialize(*nlp, data(*nlp), settings);
  const auto spans_in = [&](std::size_t tokens) {
    Doc doc = Doc::from_words(nlp->vocab(), Words(tokens, "a"));
    Doc* const docs[] = {&doc};
    nlp->annotate(docs);
    return doc.span_group("sc")->spans.size();
  };
  EXPECT_EQ(spans_in(10), 40'960U);
  // Each document of a batch has its own, the empty ones in between too.
  std::vector<Doc> docs;
  for (const std::size_t tokens : {0, 2, 0, 0, 1, 0}) {
    docs.push_back(Doc::from_words(nlp->vocab(), Words(tokens, "a")));
  }
  std::vector<Doc*> batch;
  for (Doc& doc : docs) batch.push_back(&doc);
  nlp->annotate(batch);
  for (const Doc& doc : docs) {
    const SpanGroup* group = doc.span_group("sc");
    ASSERT_NE(group, nullptr);
    ASSERT_EQ(group->spans.size(), 4096U * static_cast<std::size_t>(doc.size()));
    EXPECT_TRUE(doc.size() < 2 || group->spans.back().start == 1);
    EXPECT_EQ(group->attrs.empty(), doc.empty());
  }
  try {
    spans_in(1025);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than 4194304 spans of a document of 1025 tokens"));
    EXPECT_THAT(error.what(), HasSubstr("of 4096 labels: raise `threshold`"));
  }
}

TEST_F(SpanComponents, TokensOfCandidatesHaveALimit) {
  const auto nlp = pipeline(config_of("spancat"));
  constexpr int kTokens = 1 << 15;
  const Doc doc = Doc::from_words(nlp->vocab(), Words(kTokens, "a"));
  const Doc* docs[] = {&doc};
  Suggester suggester;
  std::vector<TokenRange> spans(kTokens, TokenRange{0, kTokens});
  suggester.suggest = [&spans](const Doc&) { return spans; };
  EXPECT_EQ(suggested_spans(suggester, docs).spans.size(), spans.size());
  spans.push_back({0, 1});
  EXPECT_THROW(suggested_spans(suggester, docs), Error);
}

}  // namespace
}  // namespace weft
