// The dependency parser as a pipeline has it: labels, training, saving.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "framework/parser/dependency_parser.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/training/optimizer.h"
#include "registry/base/error.h"
#include "tests/components/building.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

std::string config_of(bool extra_tokens, bool upper, const std::string& settings) {
  return small::nlp_section("[\"parser\"]") +
         small::ner_section(small::hash_embed_cnn({.width = 32, .rows = 100, .subwords = true}),
                            {.hidden = 32,
                             .upper = upper,
                             .extra_tokens = extra_tokens,
                             .name = "parser",
                             .factory = "parser",
                             .settings = settings});
}

struct Sentence {
  std::vector<std::string> words;
  DependencyTree tree;
};

const std::vector<Sentence> kSentences = {
    {{"She", "saw", "the", "dog", ".", "He", "left"},
     {{1, 1, 3, 1, 1, 6, 6}, {"nsubj", "ROOT", "det", "dobj", "punct", "nsubj", "ROOT"}}},
    // The arc from "saw" to "today" is crossed.
    {{"Who", "she", "saw", "today", "left", "early"},
     {{4, 2, 0, 4, 4, 2}, {"nsubj", "nsubj", "relcl", "advmod", "ROOT", "advmod"}}},
    {{"dogs", "bark"}, {{1, 1}, {"nsubj", "ROOT"}}}};

// Examples from memory.
class Stream final : public ExampleStream {
 public:
  explicit Stream(std::vector<ExamplePtr> examples) : examples_(std::move(examples)) {}
  ExamplePtr next() override { return at_ < examples_.size() ? examples_[at_++] : nullptr; }

 private:
  std::vector<ExamplePtr> examples_;
  std::size_t at_ = 0;
};

class Parser : public ::testing::Test {
 protected:
  Parser() { add_builtin(catalogue_); }
  ~Parser() override { fs::remove_all(folder_); }

  // `settings`: lines of the component's section.
  std::shared_ptr<Language> pipeline(bool extra_tokens = false, bool upper = true,
                                     const std::string& settings = "min_action_freq = 1\n") {
    fs::create_directories(folder_);
    write_file(folder_ / "config.cfg", config_of(extra_tokens, upper, settings));
    Problems problems;
    return build_pipeline(load_pipeline_config(folder_ / "config.cfg", {}, catalogue_, problems),
                          catalogue_);
  }

  std::vector<ExamplePtr> data(const Language& nlp,
                               const std::vector<Sentence>& sentences = kSentences) {
    std::vector<ExamplePtr> examples;
    for (const Sentence& sentence : sentences) {
      Doc reference = Doc::from_words(nlp.vocab(), sentence.words);
      set_parse(reference, sentence.tree);
      examples.push_back(std::make_shared<Example>(Example::from_reference(std::move(reference))));
    }
    return examples;
  }

  DependencyParser& parser(Language& nlp) {
    return dynamic_cast<DependencyParser&>(*nlp.find("parser"));
  }

  void initialize(Language& nlp, const std::vector<ExamplePtr>& examples) {
    Context ctx;
    InitRandom random(1);
    const Object settings;
    InitContext init{ctx, random, [&] { return std::make_unique<Stream>(examples); }, examples,
                     settings};
    parser(nlp).initialize(init);
  }

  // A pipeline that knows its few sentences by heart.
  std::shared_ptr<Language> trained(std::shared_ptr<Language> nlp, int cut_size, int threads = 1,
                                    const std::vector<Sentence>& sentences = kSentences) {
    const auto examples = data(*nlp, sentences);
    initialize(*nlp, examples);
    parser(*nlp).set_cut_size(cut_size);
    const auto optimizer = testing::build<OptimizerPtr>(
        "@optimizers = \"Adam.v1\"\nlearn_rate = 0.01\nuse_averages = false\n");
    std::vector<Example*> batch;
    for (const ExamplePtr& example : examples) batch.push_back(example.get());
    WorkerPool pool(threads);
    Context ctx;
    for (std::uint64_t step = 0; step < 120; ++step) {
      ShardRunner runner(*nlp, pool, {});  // with gradients of this step alone
      runner.accumulate(batch, 0.1, step);
      std::vector<NamedParameter> parameters;
      for (Model* node : parser(*nlp).models()[0]->walk()) {
        for (const auto& parameter : node->params()) {
          parameters.push_back({node->site() + "/" + parameter->name, parameter.get()});
        }
      }
      optimizer->step(ctx, parameters, runner.gradients());
    }
    return nlp;
  }

  void expect_parses(const Language& nlp) {
    for (const Sentence& sentence : kSentences) {
      Doc doc = Doc::from_words(nlp.vocab(), sentence.words);
      Doc* const docs[] = {&doc};
      nlp.annotate(docs);
      EXPECT_EQ(dependency_tree(doc).heads, sentence.tree.heads) << sentence.words.back();
      EXPECT_EQ(dependency_tree(doc).labels, sentence.tree.labels) << sentence.words.back();
    }
  }

  Catalogue catalogue_;
  fs::path folder_ = fs::temp_directory_path() / ("weft_parser_test_" + std::to_string(::getpid()));
};

TEST_F(Parser, LearnsAFewTreesByHeart) {
  expect_parses(*trained(pipeline(), 0));
}

TEST_F(Parser, LearnsFromPiecesOfLongDocuments) {
  expect_parses(*trained(pipeline(), 3));
}

TEST_F(Parser, LearnsWithMoreFeaturesAndWithoutAnUpperLayer) {
  expect_parses(*trained(pipeline(true, false), 0));
}

TEST_F(Parser, TheNumberOfThreadsChangesNothing) {
  const auto one = trained(pipeline(), 3, 1), two = trained(pipeline(), 3, 2);
  fs::create_directories(folder_ / "one");
  fs::create_directories(folder_ / "two");
  parser(*one).to_disk(folder_ / "one");
  parser(*two).to_disk(folder_ / "two");
  EXPECT_EQ(read_file(folder_ / "one/model"), read_file(folder_ / "two/model"));
}

TEST_F(Parser, ASavedParserPredictsTheSame) {
  const auto nlp = trained(pipeline(), 0);
  fs::create_directories(folder_ / "parser");
  parser(*nlp).to_disk(folder_ / "parser");
  const auto loaded = pipeline();
  parser(*loaded).from_disk(folder_ / "parser");
  EXPECT_EQ(parser(*loaded).arc_table().classes(), parser(*nlp).arc_table().classes());
  expect_parses(*loaded);
}

TEST_F(Parser, RareLabelsAreNoClasses) {
  const auto nlp = pipeline();
  initialize(*nlp, data(*nlp));
  EXPECT_EQ(parser(*nlp).labels(), (std::vector<std::string>{"ROOT", "advmod", "dep", "det", "dobj",
                                                             "nsubj", "punct", "relcl"}))
      << "of advmod||relcl the part behind, as in spaCy";
}

TEST_F(Parser, PartsOfWordsBecomeOneTokenIfTheyAreLearnt) {
  const Sentence sentence{{"the", "dog", "s", "bark", "."},
                          {{1, 2, 3, 3, 3}, {"det", "subtok", "nsubj", "ROOT", "punct"}}};
  const char* setting = "min_action_freq = 1\nlearn_tokens = true";
  const auto nlp = trained(pipeline(false, true, setting), 0, 1, {sentence});
  const auto parsed = [&](const Language& by) {
    Doc doc = Doc::from_words(nlp->vocab(), sentence.words);
    Doc* const docs[] = {&doc};
    by.annotate(docs);
    return doc;
  };
  const Doc doc = parsed(*nlp);
  ASSERT_EQ(doc.size(), 4);
  EXPECT_EQ(doc.word(1), "dog s");
  EXPECT_EQ(dependency_tree(doc).heads, (std::vector<std::int32_t>{1, 2, 2, 2}));
  EXPECT_EQ(dependency_tree(doc).labels[1], "nsubj");
  fs::create_directories(folder_ / "parser");
  parser(*nlp).to_disk(folder_ / "parser");
  const auto loaded = pipeline();
  parser(*loaded).from_disk(folder_ / "parser");
  EXPECT_EQ(parsed(*loaded).size(), 4) << "the saved cfg says that tokens are joined";
}

TEST_F(Parser, MovesThatEveryParseNeedsAreNotTooRare) {
  const auto nlp = pipeline(false, true, "min_action_freq = 1000\n");
  try {
    initialize(*nlp, data(*nlp));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("components.parser.min_action_freq, which is 1000"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(Parser, DataWithoutDependenciesIsRefused) {
  const auto nlp = pipeline();
  Doc plain = Doc::from_words(nlp->vocab(), {"no", "heads"});
  const auto example = std::make_shared<Example>(Example::from_reference(std::move(plain)));
  EXPECT_THROW(initialize(*nlp, {example}), Error);
}

}  // namespace
}  // namespace weft
