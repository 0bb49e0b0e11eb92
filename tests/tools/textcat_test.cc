// Text classification from rows of labels and texts, as a user runs it.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/tools/program.h"
#include "tests/tools/small_runs.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::string kExample = source_path("configs/textcat.cfg");
const std::string kSeveral = source_path("configs/textcat_multilabel.cfg");
const std::string kData = source_path("configs/data/snips/");

class TextcatTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = quick_folder(); }
  void TearDown() override {
    if (!HasFailure()) fs::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Outcome train(const std::string& config, const std::string& output,
                const std::vector<std::string>& more) const {
    const std::string dev = std::string(kData) + "dev.tsv";
    std::vector<std::string> words = {"train", config, "--output", path(output), "--paths.dev"};
    words.push_back(dev);
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }
  static std::vector<std::string> quick(const std::string& steps) {
    std::vector<std::string> words = {"--paths.train"};
    words.push_back(std::string(kData) + "train.tsv.gz");
    for (const char* word : {"--corpora.train.limit", "800", "--training.eval_frequency", "30",
                             "--training.max_steps"}) {
      words.emplace_back(word);
    }
    words.push_back(steps);
    return words;
  }
  static std::vector<std::string> with(std::vector<std::string> words,
                                       const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  fs::path folder_;
};

TEST_F(TextcatTest, TheExampleLearnsAndIsAppliedAndEvaluated) {
  const Outcome trained = train(kExample, "out", quick("60"));
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Outcome scored = run_weft({"evaluate", path("out/model-best"), path("test.jsonl")});
  EXPECT_NE(scored.code, 0) << "there is no such file";
  write_text(folder_ / "test.jsonl",
             "{\"text\": \"play some jazz\", \"cats\": {\"PlayMusic\": 1.0}}\n"
             "{\"text\": \"will it rain tomorrow\", \"cats\": {\"GetWeather\": 1.0}}\n");
  const Outcome table = run_weft({"evaluate", path("out/model-best"), path("test.jsonl")});
  ASSERT_EQ(table.code, 0) << table.err;
  for (const char* part : {"cats_score", "macro F", "GetWeather", "cats_auc_per_type"}) {
    EXPECT_THAT(table.out, HasSubstr(part));
  }
  write_text(folder_ / "texts.txt", "will it rain tomorrow\n");
  const Outcome applied = run_weft({"apply", path("out/model-best"), path("texts.txt"), "--json"});
  ASSERT_EQ(applied.code, 0) << applied.err;
  EXPECT_THAT(applied.out, HasSubstr("\"GetWeather\": 0."));
}

TEST_F(TextcatTest, ThreadsAndPausesChangeNothing) {
  for (const std::string& config : {kExample, kSeveral}) {
    const std::string name = fs::path(config).stem().string();
    ASSERT_EQ(train(config, name + "1", with(quick("40"), {"--threads", "1"})).code, 0);
    ASSERT_EQ(train(config, name + "3", with(quick("40"), {"--threads", "3"})).code, 0);
    EXPECT_EQ(difference(results_of(folder_ / (name + "1")), results_of(folder_ / (name + "3"))),
              "");
    ASSERT_EQ(train(config, name + "part", quick("23")).code, 0);
    const Outcome resumed = run_weft(
        {"train", "--resume", "--output", path(name + "part"), "--training.max_steps", "40"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    const auto all = results_of(folder_ / (name + "1")),
               part = results_of(folder_ / (name + "part"));
    const std::string pipe = name == "textcat" ? "textcat" : "textcat_multilabel";
    for (const std::string& file :
         {"model-last/" + pipe + "/model", std::string("checkpoint/optimizer.safetensors")}) {
      EXPECT_TRUE(all.at(file) == part.at(file)) << file;
    }
  }
}

// As spaCy gives it: an empty text alone has a score of 0 for each label, whatever is beside it
// here.
TEST_F(TextcatTest, EmptyTextsHaveCategoriesToo) {
  ASSERT_EQ(train(kExample, "out", quick("4")).code, 0);
  write_text(folder_ / "texts.jsonl", "{\"text\": \"\"}\n{\"text\": \"play some jazz\"}\n");
  const Outcome applied = run_weft({"apply", path("out/model-best"), path("texts.jsonl")});
  ASSERT_EQ(applied.code, 0) << applied.err;
  const std::string first = applied.out.substr(0, applied.out.find('\n'));
  EXPECT_THAT(first, HasSubstr("\"GetWeather\": 0.0"));
  EXPECT_THAT(first, HasSubstr("\"PlayMusic\": 0.0"));
}

TEST_F(TextcatTest, TrainsIn16Bits) {
  for (const char* level : {"O1", "O2", "O3"}) {
    const Outcome trained =
        train(kExample, level, with(quick("30"), {"--training.precision.level", level}));
    EXPECT_EQ(trained.code, 0) << level << ": " << trained.err;
  }
}

TEST_F(TextcatTest, DataIsLookedAt) {
  std::string rows;
  for (int i = 0; i < 12; ++i) {
    rows += "music\tplay song number " + std::to_string(i) + "\n";
    rows += "food\tbook table number " + std::to_string(i) + "\n";
  }
  rows += "rare\tsomething else\nmusic\t\nonly one cell\nfood\tplay song number 3\n";
  write_text(folder_ / "train.tsv", rows);
  write_text(folder_ / "dev.tsv", "music\tplay it\nnew\tnever seen\n");
  const Outcome found = run_weft({"debug", "data", kExample, "--paths.train", path("train.tsv"),
                                  "--paths.dev", path("dev.tsv"), "--json"});
  for (const char* kind :
       {"rare_label", "empty_document", "unreadable", "conflict", "one_sided_label"}) {
    EXPECT_THAT(found.out, HasSubstr(kind));
  }
  EXPECT_THAT(found.out, Not(HasSubstr("contradiction")));
}

TEST_F(TextcatTest, RowsAreConverted) {
  write_text(folder_ / "rows.csv", "text,label\n\"Play it, please\",music\nBook it,food\n");
  const Outcome done = run_weft({"convert", path("rows.csv"), path("rows.spacy"), "--lang", "en"});
  ASSERT_EQ(done.code, 0) << done.err;
  const Outcome tabs = run_weft({"convert", std::string(kData) + "dev.tsv", path("dev.spacy"),
                                 "--converter", "tsv", "--lang", "en"});
  ASSERT_EQ(tabs.code, 0) << tabs.err;
  EXPECT_GT(fs::file_size(folder_ / "dev.spacy"), 10000U);
}

}  // namespace
}  // namespace weft::testing_tools
