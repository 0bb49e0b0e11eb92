// The interface for programs: making, training, saving and using pipelines.
#include "components/weft.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "framework/nn/model.h"
#include "framework/pipeline/shard_runner.h"
#include "registry/base/error.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A network that learns in well under a second.
const std::string kConfig =
    small::nlp_section(R"(["ner"])") + small::ner_section(small::hash_embed_cnn()) + R"cfg(
[training]
seed = 5

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.02
)cfg";

class WeftApi : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("weft_api_" + std::to_string(::getpid()) +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    write_file(folder_ / "ner.cfg", kConfig);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::shared_ptr<Language> fresh() const { return from_config(folder_ / "ner.cfg"); }

  static std::vector<Example> examples(const Language& nlp) {
    std::vector<Example> examples;
    for (const char* name : {"Ada", "Grace", "Alan"}) {
      for (const char* place : {"London", "Oslo", "Lima"}) {
        const std::string text = std::string(name) + " went to " + place + ".";
        const std::size_t length = std::string_view(name).size();
        const std::size_t end = text.size() - 1;
        const std::size_t start = end - std::string_view(place).size();
        examples.push_back(Example::from_offsets(nlp.make_doc(text),
                                                 {{0, length, "PERSON"}, {start, end, "PLACE"}}));
      }
    }
    return examples;
  }

  static std::shared_ptr<Language> trained(std::shared_ptr<Language> nlp, int threads = 1) {
    std::vector<Example> data = examples(*nlp);
    nlp->initialize(data);
    for (int i = 0; i < 15; ++i) {
      for (const auto batch : minibatch(data, 4)) {
        nlp->update(batch, {.drop = 0.1, .threads = threads});
      }
    }
    return nlp;
  }

  static std::string ents_of(const Doc& doc) {
    std::string text;
    for (const Span& span : doc.ents()) {
      text += std::string(doc.span_text(span.start, span.end)) + "/" +
              std::string(doc.string(span.label)) + " ";
    }
    return text;
  }

  // Every value of the trained parameters, one after the other.
  static std::vector<float> parameters_of(const Language& nlp) {
    std::vector<float> values;
    for (const ModelPtr& root : nlp.find("ner")->models()) {
      for (Model* node : root->walk()) {
        for (const auto& parameter : node->params()) {
          const float* data = parameter->value.data<float>();
          values.insert(values.end(), data, data + parameter->value.size());
        }
      }
    }
    return values;
  }

  template <class Action>
  static std::pair<ErrorKind, std::string> failure(Action action) {
    try {
      action();
    } catch (const Error& error) {
      return {error.kind(), error.what()};
    }
    return {ErrorKind::internal, "it works"};
  }

  fs::path folder_;
};

TEST_F(WeftApi, LearnsSavesLoadsAndAnnotates) {
  const auto nlp = trained(fresh());
  EXPECT_EQ(ents_of((*nlp)("Grace went to Lima.")), "Grace/PERSON Lima/PLACE ");
  nlp->to_disk(folder_ / "model");
  const auto loaded = load(folder_ / "model");
  EXPECT_EQ(parameters_of(*loaded), parameters_of(*nlp));
  EXPECT_EQ(ents_of((*loaded)("Alan went to Oslo.")), "Alan/PERSON Oslo/PLACE ");
}

TEST_F(WeftApi, LossesAreAddedUp) {
  const auto nlp = fresh();
  std::vector<Example> data = examples(*nlp);
  const auto sgd = nlp->initialize(data);
  Losses first;
  nlp->update(data, {.sgd = sgd, .losses = &first});
  ASSERT_TRUE(first.contains("ner"));
  EXPECT_GT(first["ner"], 0.0);
  const double before = first["ner"];
  nlp->update(data, {.sgd = sgd, .losses = &first});
  EXPECT_GT(first["ner"], before);
  EXPECT_EQ(sgd->schedule_step(), 2);
}

TEST_F(WeftApi, TheNumberOfThreadsDoesNotChangeTheParameters) {
  EXPECT_EQ(parameters_of(*trained(fresh(), 1)), parameters_of(*trained(fresh(), 3)));
}

TEST_F(WeftApi, GradientsMayWaitForALaterUpdate) {
  const auto nlp = fresh();
  std::vector<Example> data = examples(*nlp);
  nlp->initialize(data);
  const std::vector<float> start = parameters_of(*nlp);
  nlp->update(std::span(data).first(2), {.step = false});
  nlp->update(std::span(data).subspan(2, 3), {.step = false});
  EXPECT_EQ(parameters_of(*nlp), start);
  nlp->update(std::span(data).subspan(5), {.threads = 2});

  // The same by hand: three parts of one step.
  const auto other = fresh();
  const OptimizerPtr sgd = other->initialize(data);
  EXPECT_EQ(parameters_of(*other), start);
  WorkerPool pool(1);
  ShardRunner runner(*other, pool, {.seed = 5});
  std::vector<Example*> all;
  for (Example& example : data) all.push_back(&example);
  const std::span<Example* const> batch(all);
  runner.accumulate(batch.first(2), 0.0, 0, 0);
  runner.accumulate(batch.subspan(2, 3), 0.0, 0, 1);
  runner.accumulate(batch.subspan(5), 0.0, 0, 2);
  sgd->step(runner.context(), runner.parameters(), runner.gradients());
  EXPECT_EQ(parameters_of(*nlp), parameters_of(*other));
  EXPECT_NE(parameters_of(*nlp), start);
}

TEST_F(WeftApi, ExcludedComponentsStayAsTheyAre) {
  const auto nlp = fresh();
  std::vector<Example> data = examples(*nlp);
  nlp->initialize(data);
  const std::vector<float> before = parameters_of(*nlp);
  Losses losses;
  nlp->update(data, {.losses = &losses, .exclude = {"ner"}});
  EXPECT_EQ(parameters_of(*nlp), before);
  EXPECT_TRUE(losses.empty());
  nlp->update(data, {.losses = &losses});
  EXPECT_NE(parameters_of(*nlp), before);
}

TEST_F(WeftApi, LabelsMayBeAddedWithoutExamplesAndBeforeTheOthers) {
  const auto nlp = fresh();
  nlp->find("ner")->add_label("PLACE");
  nlp->find("ner")->add_label("THING");
  nlp->initialize();
  EXPECT_EQ(nlp->find("ner")->labels(), (std::vector<std::string>{"PLACE", "THING"}));
  const auto [kind, message] = failure([&] { fresh()->initialize(); });
  EXPECT_EQ(kind, ErrorKind::data);
  EXPECT_THAT(message, HasSubstr("'ner': no entity"));
}

TEST_F(WeftApi, ALabelThatComesLateIsLearnt) {
  const auto nlp = trained(fresh());
  const auto tags = [&] {
    return Example::from_tags(nlp->make_doc("Yesterday Ada went to Oslo."),
                              {"U-DATE", "U-PERSON", "O", "O", "U-PLACE", "O"});
  };
  std::vector<Example> late = {tags()};
  for (int i = 0; i < 40; ++i) nlp->update(late);
  EXPECT_THAT(nlp->find("ner")->labels(), ::testing::Contains("DATE"));
  EXPECT_EQ(ents_of((*nlp)("Yesterday Ada went to Oslo.")),
            "Yesterday/DATE Ada/PERSON Oslo/PLACE ");
}

TEST_F(WeftApi, PipeKeepsTheOrderForEveryBatchSizeAndNumberOfThreads) {
  const auto nlp = trained(fresh());
  std::vector<std::string> texts;
  for (int i = 0; i < 150; ++i) texts.push_back(i % 3 == 0 ? "Ada went to Oslo." : "Hello, Grace");
  texts.emplace_back("");
  std::vector<std::string> expected;
  for (const std::string& text : texts) expected.push_back(ents_of((*nlp)(text)));
  for (const PipeOptions& options :
       {PipeOptions{}, PipeOptions{1, 2}, PipeOptions{7, 3}, PipeOptions{1000, 4}}) {
    std::vector<std::string> found;
    for (const Doc& doc : nlp->pipe(texts, options)) found.push_back(ents_of(doc));
    EXPECT_EQ(found, expected) << options.batch_size;
  }
  EXPECT_TRUE(nlp->pipe({}).empty());
}

TEST_F(WeftApi, PipeTakesTextsAsTheyCome) {
  const auto nlp = trained(fresh());
  int asked = 0;
  std::vector<std::string> found;
  nlp->pipe(
      [&]() -> std::optional<std::string> {
        if (asked == 5) return std::nullopt;
        return "Text " + std::to_string(asked++);
      },
      [&](const Doc& doc) {
        EXPECT_LE(asked, static_cast<int>(found.size()) / 2 * 2 + 2);  // no further than a batch
        found.emplace_back(doc.text());
      },
      {.batch_size = 2});
  EXPECT_THAT(found, ::testing::ElementsAre("Text 0", "Text 1", "Text 2", "Text 3", "Text 4"));
}

TEST_F(WeftApi, OneLoadedPipelineServesManyThreads) {
  trained(fresh())->to_disk(folder_ / "model");
  const std::shared_ptr<const Language> nlp = load(folder_ / "model");
  std::vector<std::string> texts;
  for (int i = 0; i < 40; ++i) {
    texts.push_back("Ada went to Oslo number " + std::to_string(i) + ". I'm unseen" +
                    std::string(i % 5, 'x'));
  }
  std::vector<std::string> expected;
  for (const std::string& text : texts) expected.push_back(ents_of((*nlp)(text)));
  std::vector<std::vector<std::string>> found(4);
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] {
      if (t % 2 == 0) {
        for (const Doc& doc : nlp->pipe(texts, {.batch_size = 9, .threads = 2})) {
          found[t].push_back(ents_of(doc));
        }
        return;
      }
      for (const std::string& text : texts) found[t].push_back(ents_of((*nlp)(text)));
    });
  }
  threads.clear();
  for (const auto& own : found) EXPECT_EQ(own, expected);
}

TEST_F(WeftApi, BlankMakesComponentsWithTheirDefaults) {
  const auto nlp = blank("de", {"ner"});
  EXPECT_EQ(nlp->lang(), "de");
  ASSERT_NE(nlp->find("ner"), nullptr);
  EXPECT_EQ(nlp->make_doc("z.B. so").word(0), "z.B.");
  const auto [kind, message] = failure([] { blank("en", {"nre"}); });
  EXPECT_EQ(kind, ErrorKind::config);
  EXPECT_THAT(message, HasSubstr("nre"));
  EXPECT_EQ(failure([] { blank("q!"); }).first, ErrorKind::config);
}

TEST_F(WeftApi, ChineseIsCutIntoCharactersAndBySegmentersOfPythonNotAtAll) {
  const auto nlp = blank("zh");
  EXPECT_EQ(nlp->make_doc("我爱你。").size(), 4);
  nlp->to_disk(folder_ / "zh");
  EXPECT_EQ(load(folder_ / "zh")->make_doc("我爱你。").size(), 4);
  for (const char* name : {"jieba", "pkuseg"}) {
    write_file(folder_ / "zh/tokenizer/cfg", std::string("{\"segmenter\":\"") + name + "\"}");
    const auto [kind, message] = failure([&] { load(folder_ / "zh"); });
    EXPECT_EQ(kind, ErrorKind::data);
    EXPECT_THAT(message, HasSubstr(std::string("zh/tokenizer/cfg: texts are cut by \"") + name +
                                   "\", a Python package; only \"char\" is built in"));
    write_file(folder_ / "zh.cfg",
               std::string("[nlp]\nlang = \"zh\"\npipeline = []\n\n[nlp.tokenizer]\n"
                           "@tokenizers = \"spacy.zh.ChineseTokenizer\"\nsegmenter = \"") +
                   name + "\"\n");
    const auto [refused, reason] = failure([&] { from_config(folder_ / "zh.cfg"); });
    EXPECT_EQ(refused, ErrorKind::config);
    EXPECT_THAT(reason, HasSubstr(std::string("\"") + name + "\" is a Python package"));
  }
  write_file(folder_ / "zh/tokenizer/cfg", "{\"segmenter\":3}");
  EXPECT_THAT(failure([&] { load(folder_ / "zh"); }).second, HasSubstr("names no segmenter"));
}

TEST_F(WeftApi, WhatIsNotReadySaysWhatIsMissing) {
  const auto nlp = fresh();
  std::vector<Example> data = examples(*nlp);
  auto [kind, message] = failure([&] { nlp->update(data); });
  EXPECT_EQ(kind, ErrorKind::usage);
  EXPECT_THAT(message, HasSubstr("'ner' has no parameters yet: initialise the pipeline"));
  std::tie(kind, message) = failure([&] { (*nlp)("Ada went home."); });
  EXPECT_EQ(kind, ErrorKind::usage) << message;
  EXPECT_THAT(message, HasSubstr("initialise"));
  nlp->initialize(data);
  std::tie(kind, message) = failure([&] { nlp->update(data, {.exclude = {"nre"}}); });
  EXPECT_EQ(kind, ErrorKind::usage);
  EXPECT_THAT(message, HasSubstr("'nre'"));
  EXPECT_EQ(failure([&] { load(folder_ / "absent"); }).first, ErrorKind::usage);
  EXPECT_EQ(failure([&] { from_config(folder_ / "absent.cfg"); }).first, ErrorKind::usage);
  EXPECT_EQ(failure([&] { minibatch(data, 0); }).first, ErrorKind::usage);
}

TEST_F(WeftApi, AnEmptyBatchChangesNothing) {
  const auto nlp = fresh();
  std::vector<Example> data = examples(*nlp);
  nlp->initialize(data);
  const std::vector<float> before = parameters_of(*nlp);
  Losses losses;
  nlp->update({}, {.losses = &losses});
  EXPECT_EQ(parameters_of(*nlp), before);
  EXPECT_TRUE(losses.empty());
}

TEST_F(WeftApi, MinibatchesCoverEverythingOnce) {
  const auto nlp = fresh();
  std::vector<Example> data = examples(*nlp);  // 9
  const auto batches = minibatch(data, 4);
  ASSERT_EQ(batches.size(), 3u);
  EXPECT_EQ(batches[2].size(), 1u);
  EXPECT_EQ(batches[2].data(), &data[8]);
  EXPECT_TRUE(minibatch({}, 4).empty());
}

}  // namespace
}  // namespace weft
