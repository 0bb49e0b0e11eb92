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

}  // namespace
}  // namespace weft::testing_tools
