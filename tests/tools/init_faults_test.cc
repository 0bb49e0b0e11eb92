// Faults of the files that [initialize] names, and of the examples: each is told with its own
// place.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "framework/io/npy.h"
#include "tests/tools/program.h"
#include "tests/tools/shell_line.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class InitFaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "train.conll", small_corpus(4));
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // `init nlp` of a small recognizer whose config ends with `more`.
  Outcome init(const std::string& more, const std::vector<std::string>& overrides = {}) const {
    return init_of(small_config(more), "train.conll", overrides);
  }
  Outcome init_of(const std::string& config, const std::string& data,
                  const std::vector<std::string>& overrides = {}) const {
    write_text(folder_ / "test.cfg", config);
    std::vector<std::string> words = {"init",          "nlp",      path("test.cfg"), path("model"),
                                      "--paths.train", path(data), "--paths.dev",    path(data)};
    words.insert(words.end(), overrides.begin(), overrides.end());
    return run_weft(words);
  }
  void make_vectors() const {
    write_text(folder_ / "text.txt", "Ada 1 2\nOslo 3 4\n");
    const Outcome made = run_weft({"init", "vectors", "en", path("text.txt"), path("vectors")});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  std::string with_vectors() const {
    std::string text = small_config("\n[initialize]\nvectors = \"" + path("vectors") + "\"\n");
    const std::string without = "include_static_vectors = false";
    const std::size_t at = text.find(without);
    if (at != text.npos) text.replace(at, without.size(), "include_static_vectors = true");
    return text;
  }
  fs::path folder_;
};

std::string of_component(const std::string& name, const std::string& setting,
                         const std::string& reader, const std::string& file) {
  return "\n[initialize]\n\n[initialize.components]\n\n[initialize.components." + name +
         "]\n\n[initialize.components." + name + "." + setting + "]\n@readers = \"" + reader +
         "\"\npath = \"" + file + "\"\n";
}

TEST_F(InitFaultsTest, VectorsAreToldWithTheirSetting) {
  make_vectors();
  write_text(folder_ / "vectors/vocab/vectors", "x");
  const Outcome outcome = init_of(with_vectors(), "train.conll");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr(path("vectors/vocab/vectors")));
  EXPECT_THAT(outcome.err, Not(HasSubstr("corpora.train")));
}

TEST_F(InitFaultsTest, VectorsWithoutKeysAreToldWithTheirSetting) {
  make_vectors();
  write_text(folder_ / "vectors/vocab/key2row", "\x80");
  const Outcome outcome = init_of(with_vectors(), "train.conll");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("test.cfg:"));
  EXPECT_THAT(outcome.err, HasSubstr("key2row is empty: the vectors beside it have 2 rows"));
  EXPECT_THAT(outcome.err, HasSubstr("the data is that of [initialize] vectors"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("corpora.train")));
}

TEST_F(InitFaultsTest, FilesOfLabelsAndPatternsAreNamed) {
  write_text(folder_ / "lab.json", R"({"a": {}})");
  const Outcome labels =
      init(of_component("ner", "labels", "spacy.read_labels.v1", path("lab.json")));
  EXPECT_EQ(labels.code, 3);
  EXPECT_THAT(labels.err, HasSubstr("[initialize.components.ner] labels, " + path("lab.json")));
  EXPECT_THAT(labels.err, Not(HasSubstr("corpora.train")));

  write_text(folder_ / "patterns.jsonl", "{\"pattern\": \"Oslo\"}\n");
  const std::string ruler = "\n[components.entity_ruler]\nfactory = \"entity_ruler\"\n";
  const Outcome patterns = init(ruler + of_component("entity_ruler", "patterns",
                                                     "srsly.read_jsonl.v1", path("patterns.jsonl")),
                                {"--nlp.pipeline", "[\"ner\", \"entity_ruler\"]"});
  EXPECT_EQ(patterns.code, 3);
  EXPECT_THAT(patterns.err, HasSubstr("entity_ruler, pattern 1"));
  EXPECT_THAT(patterns.err, HasSubstr("patterns, " + path("patterns.jsonl")));
  EXPECT_THAT(patterns.err, Not(HasSubstr("corpora.train")));
}

// A misspelt one lets every token pass, as in spaCy: it is told, by whatever makes the pipeline.
TEST_F(InitFaultsTest, ConditionsOfPatternsThatMeanNothingAreTold) {
  const std::string ruler =
      "\n[components.entity_ruler]\nfactory = \"entity_ruler\"\n\n[initialize]\n\n"
      "[initialize.components]\n\n[initialize.components.entity_ruler]\n"
      "patterns = [{\"label\": \"X\", \"pattern\": [{\"LOWER\": {\"REGX\": \"a\"}}]}]\n";
  const std::string told =
      "token 1, LOWER REGX is no predicate, and every token passes it; did you "
      "mean REGEX?";
  const std::vector<std::string> with_ruler = {"--nlp.pipeline", "[\"ner\",\"entity_ruler\"]"};
  const Outcome made = init(ruler, with_ruler);
  EXPECT_EQ(made.code, 0);
  EXPECT_THAT(made.err, HasSubstr("warning: entity_ruler, " + path("test.cfg:")));
  EXPECT_THAT(made.err, HasSubstr(told));
  std::vector<std::string> words = {"train",
                                    path("test.cfg"),
                                    "--output",
                                    path("out"),
                                    "--paths.train",
                                    path("train.conll"),
                                    "--paths.dev",
                                    path("train.conll"),
                                    "--training.max_steps",
                                    "1"};
  words.insert(words.end(), with_ruler.begin(), with_ruler.end());
  EXPECT_THAT(run_weft(words).err, HasSubstr(told));
  words = {"debug",
           "data",
           path("test.cfg"),
           "--paths.train",
           path("train.conll"),
           "--paths.dev",
           path("train.conll")};
  words.insert(words.end(), with_ruler.begin(), with_ruler.end());
  const Outcome checked = run_weft(words);
  EXPECT_THAT(checked.out + checked.err, HasSubstr("void_condition"));
  EXPECT_THAT(checked.out + checked.err, HasSubstr(told));
}

TEST_F(InitFaultsTest, TablesOfLemmasAreToldWithTheirBlock) {
  write_text(folder_ / "rules.json", R"({"noun": 3})");
  const Outcome outcome = init(
      "\n[components.lemmatizer]\nfactory = \"lemmatizer\"\n\n[initialize]\n\n"
      "[initialize.components]\n\n[initialize.components.lemmatizer]\n\n"
      "[initialize.components.lemmatizer.lookups]\n@misc = \"weft.read_lookups.v1\"\n\n"
      "[initialize.components.lemmatizer.lookups.tables]\nlemma_rules = \"" +
          path("rules.json") + "\"\n",
      {"--nlp.pipeline", "[\"ner\", \"lemmatizer\"]"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err,
              HasSubstr("[initialize.components.lemmatizer.lookups]: the table lemma_rules"));
}

const char* const kParser =
    "[paths]\ntrain = null\ndev = null\n\n[nlp]\nlang = \"en\"\npipeline = [\"parser\"]\n\n"
    "[components]\n\n[components.parser]\nfactory = \"parser\"\n\n[corpora]\n\n[corpora.train]\n"
    "@readers = \"weft.ConlluCorpus.v1\"\npath = ${paths.train}\n\n[corpora.dev]\n"
    "@readers = \"weft.ConlluCorpus.v1\"\npath = ${paths.dev}\n";

// Two tokens that are the head of each other, in the second document of a file.
TEST_F(InitFaultsTest, ACycleOfHeadsIsToldWithItsDocumentAndItsCorpus) {
  write_text(folder_ / "train.conllu",
             "# newdoc\n1\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
             "# newdoc\n1\ta\ta\tX\tX\t_\t2\tdep\t_\t_\n2\tb\tb\tX\tX\t_\t1\tdep\t_\t_\n\n");
  const Outcome outcome = init_of(kParser, "train.conllu");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("train.conllu"));
  EXPECT_THAT(outcome.err, HasSubstr("document 2"));
  EXPECT_THAT(outcome.err, HasSubstr("cycle"));
}

TEST_F(InitFaultsTest, AParserIsGivenLabels) {
  write_text(folder_ / "train.conllu", "1\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n");
  const std::string none =
      "\n[initialize]\n\n[initialize.components]\n\n[initialize.components.parser]\nlabels = {}\n";
  const Outcome outcome = init_of(kParser + none, "train.conllu");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("[initialize.components.parser.labels]: no label given"));
}

TEST_F(InitFaultsTest, CallbacksAreToldWithTheirSetting) {
  const Outcome base = init(
      "\n[initialize]\n\n[initialize.before_init]\n"
      "@callbacks = \"spacy.copy_from_base_model.v1\"\nvocab = \"/nowhere\"\n");
  EXPECT_EQ(base.code, 2);
  EXPECT_THAT(base.err, HasSubstr("test.cfg:"));
  EXPECT_THAT(base.err, HasSubstr("[initialize] before_init: spacy.copy_from_base_model.v1: "
                                  "'/nowhere' is no folder of a pipeline"));
  const Outcome confidence = init(
      "\n[initialize]\n\n[initialize.before_init]\n@callbacks = \"weft.confidence.v1\"\n\n"
      "[initialize.before_init.corpus]\n@readers = \"weft.ConllCorpus.v1\"\npath = \"" +
      path("train.conll") + "\"\n");
  EXPECT_EQ(confidence.code, 2);
  EXPECT_THAT(confidence.err, HasSubstr("[initialize] before_init: weft.confidence.v1: "));
  EXPECT_THAT(confidence.err, HasSubstr("'ner' has no parameters yet"));
}

TEST_F(InitFaultsTest, VectorsOfAnotherWidthAreRefusedWhenAPipelineIsLoaded) {
  make_vectors();
  const Outcome made = init_of(with_vectors(), "train.conll");
  ASSERT_EQ(made.code, 0) << made.err;
  write_npy_matrix(folder_ / "model/vocab/vectors", Tensor::zeros({2, 4}));
  const Outcome outcome = run_weft({"evaluate", path("model"), path("train.conll")});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("model/vocab/vectors: the word vectors have a width of 4"));
  EXPECT_THAT(outcome.err, HasSubstr("was trained with a width of 2"));
}

TEST_F(InitFaultsTest, APipeIsReadOnceAlone) {
  ASSERT_EQ(::mkfifo(path("pipe.jsonl").c_str(), 0600), 0);
  const Outcome twice =
      run_weft({"find-threshold", path("none"), path("pipe.jsonl"), "ner", "threshold", "ents_f"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_THAT(twice.err, HasSubstr("is a pipe, and DATA is read more than once"));

  ASSERT_EQ(init("").code, 0);
  const Outcome once = run_line(folder_,
                                "printf '{\"text\": \"Ada went home\"}\\n' | "
                                "weft benchmark speed model - --repeats 1 --warmup 0");
  EXPECT_EQ(once.code, 0) << once.err;
  EXPECT_THAT(once.out, HasSubstr("words/s"));
}

}  // namespace
}  // namespace weft::testing_tools
