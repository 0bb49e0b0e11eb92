// A span categorizer with many labels, nothing of which is learnt: every candidate gets all of
// them. Memory is bounded by the spans that are held at a time.
#include <cstdint>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

constexpr int kLabels = 1000;
constexpr int kDocuments = 1000;

class HostileManySpans : public ::testing::Test {
 protected:
  // A pipeline in the folder `pipeline`. Each token of a document begins three candidates.
  void SetUp() override {
    std::string spans;
    for (int i = 0; i < kLabels; ++i) {
      spans += (i == 0 ? "[0, 1, \"L" : ", [0, 1, \"L") + std::to_string(i) + "\"]";
    }
    write_text(folder_ / "train.jsonl",
               "{\"text\": \"a b\", \"spans\": {\"sc\": [" + spans + "]}}\n");
    write_text(folder_ / "many.cfg", R"([nlp]
lang = "en"
pipeline = ["spancat"]

[components]

[components.spancat]
factory = "spancat"

[components.spancat.model]
@architectures = "spacy.SpanCategorizer.v1"

[components.spancat.model.reducer]
@layers = "spacy.mean_max_reducer.v1"
hidden_size = 16

[components.spancat.model.scorer]
@layers = "spacy.LinearLogistic.v1"

[components.spancat.model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
width = 16
depth = 1
embed_size = 100
window_size = 1
maxout_pieces = 2
subword_features = false
pretrained_vectors = null

[corpora]

[corpora.train]
@readers = "spacy.JsonlCorpus.v1"
path = "train.jsonl"

[corpora.dev]
@readers = "spacy.JsonlCorpus.v1"
path = "train.jsonl"
)");
    const HostileRun made = run_hostile("init", {"init", "nlp", "many.cfg", "pipeline"}, folder_);
    ASSERT_EQ(made.code, 0) << made.err;
  }

  void expect_little_memory(const std::vector<std::string>& words) const {
    // Memory is in question: some ten million spans are written or compared, 400 MB of them.
    const HostileBounds bounds{.cpu_seconds = 60, .memory = std::int64_t{260} << 20};
    const HostileRun run = run_hostile(words.front(), words, folder_, {}, bounds);
    expect_ended_well(run, bounds);
    EXPECT_EQ(run.code, 0) << run.err;
  }

  const fs::path folder_ = fresh_folder();
};

TEST_F(HostileManySpans, AnnotatedDocumentsAreFewAtATime) {
  std::string texts;
  for (int i = 0; i < kDocuments; ++i) texts += "a a a a a a a a\n";
  write_text(folder_ / "texts.txt", texts);
  expect_little_memory({"apply", "pipeline", "texts.txt", "/dev/null", "--threads", "1"});
}

TEST_F(HostileManySpans, EvaluatedDocumentsAreFewAtATime) {
  std::string documents;
  for (int i = 0; i < kDocuments; ++i) {
    documents +=
        "{\"text\": \"a a a a a a a a\", \"spans\": {\"sc\": [[0, 1, \"L1\"], [2, 3, \"L2\"]]}}\n";
  }
  write_text(folder_ / "gold.jsonl", documents);
  expect_little_memory({"evaluate", "pipeline", "gold.jsonl", "--threads", "1"});
}

}  // namespace
}  // namespace weft::testing_tools
