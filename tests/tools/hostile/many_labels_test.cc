// Text classifiers with as many labels as they may have, which give each document as many numbers
// however short it is: memory is bounded by the documents that are held at a time.
#include <cstdint>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

class HostileManyLabels : public ::testing::Test {
 protected:
  // A pipeline with that many labels, in the folder `pipeline`; nothing is learnt.
  void make_pipeline(int labels) {
    std::string names;
    for (int i = 0; i < labels; ++i) {
      names += (i == 0 ? "[\"" : ",\"") + std::to_string(i) + "\"";
    }
    write_text(folder_ / "labels.json", names + "]");
    write_text(folder_ / "train.jsonl", "{\"text\": \"a\", \"cats\": {\"0\": 1.0, \"1\": 0.0}}\n");
    write_text(folder_ / "many.cfg", R"([nlp]
lang = "en"
pipeline = ["textcat_multilabel"]

[components]

[components.textcat_multilabel]
factory = "textcat_multilabel"

[components.textcat_multilabel.model]
@architectures = "spacy.TextCatBOW.v3"
exclusive_classes = false
ngram_size = 1
no_output_layer = false
length = 4

[corpora]

[corpora.train]
@readers = "spacy.JsonlCorpus.v1"
path = "train.jsonl"

[corpora.dev]
@readers = "spacy.JsonlCorpus.v1"
path = "train.jsonl"

[training]
train_corpus = "corpora.train"
dev_corpus = "corpora.dev"

[initialize]

[initialize.components]

[initialize.components.textcat_multilabel]

[initialize.components.textcat_multilabel.labels]
@readers = "spacy.read_labels.v1"
path = "labels.json"
)");
    const HostileRun made = run_hostile("init", {"init", "nlp", "many.cfg", "pipeline"}, folder_);
    ASSERT_EQ(made.code, 0) << made.err;
  }

  const fs::path folder_ = fresh_folder();
};

// Memory is in question here: twenty million numbers are written or compared, which takes some
// seconds.
constexpr double kMostSeconds = 60;

// All at once would be 0.9 GB of categories.
TEST_F(HostileManyLabels, AnnotatedDocumentsAreFewAtATime) {
  make_pipeline(65'536);
  std::string texts;
  for (int i = 0; i < 300; ++i) texts += "a\n";
  write_text(folder_ / "texts.txt", texts);
  const HostileBounds bounds{.cpu_seconds = kMostSeconds, .memory = std::int64_t{600} << 20};
  const HostileRun run = run_hostile(
      "65,536 labels", {"apply", "pipeline", "texts.txt", "/dev/null"}, folder_, {}, bounds);
  expect_ended_well(run, bounds);
  EXPECT_EQ(run.code, 0) << run.err;
}

// An evaluation keeps a number for each document and label, and the documents of a group.
TEST_F(HostileManyLabels, AnEvaluationKeepsLittleOfEachDocument) {
  make_pipeline(3'000);
  std::string cats = "{\"text\": \"a\", \"cats\": {";
  for (int i = 0; i < 3'000; ++i) cats += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  std::string documents;
  for (int i = 0; i < 3'000; ++i) documents += cats + "}}\n";
  write_text(folder_ / "gold.jsonl", documents);
  const HostileBounds bounds{.cpu_seconds = kMostSeconds,
                             .memory = std::int64_t{400} << 20,
                             .output = std::int64_t{2} << 20};
  const HostileRun run =
      run_hostile("3,000 labels", {"evaluate", "pipeline", "gold.jsonl"}, folder_, {}, bounds);
  expect_ended_well(run, bounds);
  EXPECT_EQ(run.code, 0) << run.err;
}

// A folder of a tagger or an entity recognizer whose labels are in a file.
class HostileLabelFile : public ::testing::Test {
 protected:
  HostileRun initialized(const std::string& factory, const std::string& labels,
                         const HostileBounds& bounds) {
    write_text(folder_ / "labels.json", labels);
    // Two documents of a thousand tokens: a network is first run on them.
    std::string words = "\"a\"";
    for (int i = 1; i < 1000; ++i) words += ",\"a\"";
    const std::string document = "{\"tokens\": [" + words + "]}\n";
    write_text(folder_ / "train.jsonl", document + document);
    write_text(folder_ / "labels.cfg", config_of(factory));
    return run_hostile(factory, {"init", "nlp", "labels.cfg", "pipeline"}, folder_, {}, bounds);
  }

  // ["l0xxx", "l1xxx", ...], so many letters each behind the number.
  static std::string list_of(int labels, int letters = 0) {
    std::string list = "[";
    for (int i = 0; i < labels; ++i) {
      list += (i == 0 ? "\"l" : ",\"l") + std::to_string(i) +
              std::string(static_cast<std::size_t>(letters), 'x') + '"';
    }
    return list + "]";
  }

  const fs::path folder_ = fresh_folder();

 private:
  static std::string config_of(const std::string& factory) {
    return R"([nlp]
lang = "en"
pipeline = ["it"]

[components]

[components.it]
factory = ")" +
           factory + R"("

[corpora]

[corpora.train]
@readers = "spacy.JsonlCorpus.v1"
path = "train.jsonl"

[corpora.dev]
@readers = "spacy.JsonlCorpus.v1"
path = "train.jsonl"

[training]
train_corpus = "corpora.train"
dev_corpus = "corpora.dev"

[initialize]

[initialize.components]

[initialize.components.it]

[initialize.components.it.labels]
@readers = "spacy.read_labels.v1"
path = "labels.json"
)";
  }
};

constexpr HostileBounds kOfLabels{.memory = std::int64_t{500} << 20};

TEST_F(HostileLabelFile, TooManyLabelsOfATaggerAreRefusedAtOnce) {
  const HostileRun run = initialized("tagger", list_of(300'000), kOfLabels);
  expect_ended_well(run, kOfLabels);
  expect_refused(run, "more than 65536 labels");
}

// A score for each of 2,000 tokens would be half a gigabyte, twice.
TEST_F(HostileLabelFile, AsManyLabelsAsATaggerMayHaveTakeLittleMemory) {
  const HostileRun run = initialized("tagger", list_of(65'536), kOfLabels);
  expect_ended_well(run, kOfLabels);
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST_F(HostileLabelFile, TooManyLabelsOfAnEntityRecognizerAreRefusedBeforeTheyAreMoves) {
  const HostileRun many = initialized("ner", list_of(250'000, 100), kOfLabels);
  expect_ended_well(many, kOfLabels);
  expect_refused(many, "more than 65536 labels");
  const HostileRun table = initialized(
      "parser", "{\"0\":{\"\":1},\"1\":{\"" + std::string(9 << 20, 'x') + "\":1}}", kOfLabels);
  expect_ended_well(table, kOfLabels);
  expect_refused(table, "its labels have more than 8388608 bytes together");
}

}  // namespace
}  // namespace weft::testing_tools
