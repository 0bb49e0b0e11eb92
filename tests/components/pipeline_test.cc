// A whole pipeline in memory: training it, using it from many threads, saving and loading it, and
// what happens where its files are damaged.
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "framework/nn/model.h"
#include "framework/parser/confidence_fit.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/callback.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/train_pipeline.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/building.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

const std::string kConfig =
    small::nlp_section(R"(["tok2vec", "ner"])") +
    small::tok2vec_section(small::two_attributes("components.tok2vec.model")) +
    small::ner_section(small::listener()) + R"cfg(
[corpora]

[corpora.train]
@readers = "weft.ConllCorpus.v1"
path = "PATH"

[corpora.dev]
@readers = "weft.ConllCorpus.v1"
path = "PATH"

[training]
max_steps = 30
eval_frequency = 30

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.02

[training.batcher]
@batchers = "spacy.batch_by_words.v1"
size = 600
tolerance = 0.2
discard_oversize = false
)cfg";

std::string sentences() {
  std::string text;
  const char* people[] = {"Ada", "Grace", "Alan", "Edsger"};
  const char* places[] = {"London", "Oslo", "Lima"};
  for (int i = 0; i < 120; ++i) {
    text += std::string(people[i % 4]) + "\tB-person\nwent\tO\nto\tO\n" + places[i % 3] +
            "\tB-place\n.\tO\n\n";
  }
  return text;
}

// Trained once; tests copy its folder before they break it.
class PipelineTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    root_ = fs::path(::testing::TempDir()) / ("pipeline_test" + std::to_string(::getpid()));
    fs::create_directories(root_);
    std::ofstream(root_ / "data.conll") << sentences();
    add_builtin(catalogue());
    std::string text = kConfig;
    for (auto at = text.find("PATH"); at != std::string::npos; at = text.find("PATH")) {
      text.replace(at, 4, (root_ / "data.conll").string());
    }
    Problems problems;
    Config config = read_cfg(text, "test.cfg", problems, {.interpolate = false});
    config = fill_pipeline_config(config, catalogue(), problems);
    if (has_errors(problems)) throw Error(ErrorKind::config, problems);
    std::ostringstream none;
    nlp_ = train_pipeline(config, catalogue(), {.output = root_ / "out"}, none, none).nlp;
  }
  static void TearDownTestSuite() {
    nlp_.reset();
    fs::remove_all(root_);
  }

  static Catalogue& catalogue() {
    static Catalogue catalogue;
    return catalogue;
  }
  static std::string ents_of(const Doc& doc) {
    std::string text;
    for (const Span& span : doc.ents()) {
      text += std::string(doc.span_text(span.start, span.end)) + "/" +
              std::string(doc.string(span.label)) + " ";
    }
    return text;
  }
  static std::vector<std::string> texts() {
    std::vector<std::string> texts;
    for (int i = 0; i < 300; ++i) {
      texts.push_back((i % 2 == 0 ? "Ada went to Oslo" : "Yesterday Grace went to Lima with Alan") +
                      std::string(i % 7, '.'));
    }
    return texts;
  }
  fs::path broken_copy() const {
    const fs::path folder = root_ / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder);
    fs::copy(root_ / "out/model-last", folder, fs::copy_options::recursive);
    return folder;
  }
  // The kind of error that loading gives, and its message.
  static std::pair<ErrorKind, std::string> failure(const fs::path& folder) {
    try {
      load_pipeline(folder, catalogue());
    } catch (const Error& error) {
      return {error.kind(), error.what()};
    }
    return {ErrorKind::internal, "it loads"};
  }

  static inline fs::path root_;
  static inline std::shared_ptr<Language> nlp_;
};

TEST_F(PipelineTest, FindsWhatItWasTrainedOn) {
  EXPECT_EQ(ents_of((*nlp_)("Ada went to Oslo.")), "Ada/person Oslo/place ");
  EXPECT_TRUE((*nlp_)("").empty());
}

TEST_F(PipelineTest, LoadsWithTheSamePredictions) {
  const auto loaded = load_pipeline(root_ / "out/model-last", catalogue());
  for (const std::string& text : texts()) {
    EXPECT_EQ(ents_of((*loaded)(text)), ents_of((*nlp_)(text)));
  }
  EXPECT_EQ(loaded->meta().find("lang")->as_string(), "en");
  EXPECT_TRUE(loaded->meta().find("performance")->as_object().contains("ents_f"));
}

TEST_F(PipelineTest, SavingALoadedPipelineGivesTheSameFiles) {
  const auto loaded = load_pipeline(root_ / "out/model-last", catalogue());
  loaded->to_disk(root_ / "again");
  for (const auto& entry : fs::recursive_directory_iterator(root_ / "out/model-last")) {
    if (!entry.is_regular_file()) continue;
    const fs::path name = fs::relative(entry.path(), root_ / "out/model-last");
    EXPECT_EQ(read_file(entry.path()), read_file(root_ / "again" / name)) << name;
  }
}

TEST_F(PipelineTest, NothingButAPipelineIsReplaced) {
  const fs::path own = root_ / "own";
  fs::create_directories(own / "empty");
  write_file(own / "notes.txt", "mine");
  EXPECT_THROW(nlp_->to_disk(own), Error);
  EXPECT_THROW(nlp_->to_disk(own / "notes.txt"), Error);
  EXPECT_EQ(read_file(own / "notes.txt"), "mine");
  for (int times = 0; times < 2; ++times) EXPECT_NO_THROW(nlp_->to_disk(own / "empty"));
}

TEST_F(PipelineTest, ConfidencesAreFittedWhereEntitiesAreFound) {
  const auto loaded = load_pipeline(root_ / "out/model-last", catalogue());
  const auto fit_to = [&](const fs::path& corpus) {
    CallbackCall call{*loaded};
    weft::testing::build<Callback>(
        fmt::format("@callbacks = \"weft.confidence.v1\"\n\n[block.corpus]\n"
                    "@readers = \"weft.ConllCorpus.v1\"\npath = \"{}\"\n",
                    corpus.string()))
        .call(call);
    return gives_confidences(*loaded);
  };
  EXPECT_TRUE(fit_to(root_ / "data.conll"));
  // As at the first save of a new one, which finds nothing yet.
  write_file(root_ / "few.conll", sentences().substr(0, sentences().find("\n\n") + 2));
  EXPECT_FALSE(fit_to(root_ / "few.conll"));
}

TEST_F(PipelineTest, ManyThreadsMayUseOnePipeline) {
  std::vector<std::string> expected;
  for (const std::string& text : texts()) expected.push_back(ents_of((*nlp_)(text)));
  std::vector<std::jthread> threads;
  std::vector<std::vector<std::string>> found(4);
  for (auto& own : found) {
    threads.emplace_back([&own] {
      const Language& nlp = *nlp_;
      for (const std::string& text : texts()) own.push_back(ents_of(nlp(text)));
    });
  }
  threads.clear();
  for (const auto& own : found) EXPECT_EQ(own, expected);
}

TEST_F(PipelineTest, EntitiesDoNotDependOnHowDocumentsAreGrouped) {
  std::vector<Doc> together;
  for (const std::string& text : texts()) together.push_back(nlp_->make_doc(text));
  std::vector<Doc*> pointers;
  for (Doc& doc : together) pointers.push_back(&doc);
  WorkerPool pool(3);
  nlp_->annotate(pointers, pool);
  std::size_t i = 0;
  for (const std::string& text : texts()) {
    EXPECT_EQ(ents_of(together[i++]), ents_of((*nlp_)(text))) << text;
  }
}

TEST_F(PipelineTest, MissingFilesAreNamed) {
  for (const char* name : {"meta.json", "config.cfg", "tokenizer", "ner/model", "ner/moves",
                           "tok2vec/model", "vocab/strings.json"}) {
    const fs::path folder = broken_copy();
    fs::remove(folder / name);
    const auto [kind, message] = failure(folder);
    EXPECT_EQ(kind, ErrorKind::data) << name << ": " << message;
    EXPECT_THAT(message, ::testing::HasSubstr(fs::path(name).filename().string()));
  }
  EXPECT_EQ(failure(root_ / "absent").first, ErrorKind::usage);
}

TEST_F(PipelineTest, TruncatedFilesAreNamed) {
  for (const char* name : {"meta.json", "tokenizer", "ner/model", "ner/moves", "tok2vec/model",
                           "vocab/strings.json"}) {
    const fs::path folder = broken_copy();
    fs::resize_file(folder / name, fs::file_size(folder / name) / 2);
    const auto [kind, message] = failure(folder);
    EXPECT_EQ(kind, ErrorKind::data) << name << ": " << message;
    EXPECT_THAT(message, ::testing::HasSubstr(fs::path(name).filename().string()));
  }
}

TEST_F(PipelineTest, AComponentThatIsNotBuiltInIsNamedWithItsPlace) {
  const fs::path folder = broken_copy();
  std::string text = read_file(folder / "config.cfg");
  const auto at = text.find("factory = \"ner\"");
  text.replace(at, 15, "factory = \"acme.ner\"");
  write_file(folder / "config.cfg", text);
  const auto [kind, message] = failure(folder);
  EXPECT_EQ(kind, ErrorKind::config);
  EXPECT_THAT(message, ::testing::HasSubstr("acme.ner"));
  EXPECT_THAT(message, ::testing::ContainsRegex("config.cfg:[0-9]+"));
}

TEST_F(PipelineTest, FunctionsOfTheTrainingSectionsNeedNotExist) {
  const fs::path folder = broken_copy();
  std::string text = read_file(folder / "config.cfg");
  const auto at = text.find("spacy.ConsoleLogger.v1");
  text.replace(at, 22, "acme.Dashboard.v7");
  write_file(folder / "config.cfg", text);
  EXPECT_EQ(failure(folder).second, "it loads");
}

TEST_F(PipelineTest, SourcedComponentsComeWithTheirWeights) {
  Problems problems;
  Config config = read_cfg(
      "[nlp]\nlang = \"en\"\npipeline = [\"tok2vec\", \"ner\"]\n\n[components]\n\n"
      "[components.tok2vec]\nsource = \"" +
          (root_ / "out/model-last").string() + "\"\n\n[components.ner]\nsource = \"" +
          (root_ / "out/model-last").string() + "\"\n",
      "both.cfg", problems, {.interpolate = false});
  config = fill_pipeline_config(config, catalogue(), problems);
  ASSERT_FALSE(has_errors(problems)) << problems.front().str();
  const auto nlp = build_pipeline(config, catalogue());
  EXPECT_EQ(ents_of((*nlp)("Ada went to Oslo.")), "Ada/person Oslo/place ");
  EXPECT_EQ(nlp->config().find("components.ner.factory")->as_string(), "ner");
}

}  // namespace
}  // namespace weft
