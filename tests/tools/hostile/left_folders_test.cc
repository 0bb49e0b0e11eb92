// A command that cannot write its output leaves no folder behind that it made for it.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

class LeftFolders : public TrainingFolder {
 protected:
  void SetUp() override {
    TrainingFolder::SetUp();
    write_text(path("texts.txt"), "Ada went to Oslo.\n");
    write_text(path("words.vec"), "Ada 1 2\nOslo 3 4\n");
    write_text(path("sourced.cfg"),
               "[nlp]\nlang = \"en\"\npipeline = [\"ner\"]\n\n[components]\n\n[components.ner]\n"
               "source = \"made/model-last\"\n");
    const Outcome trained =
        train("made", {"--training.max_steps", "2", "--training.eval_frequency", "1"});
    ASSERT_EQ(trained.code, 0) << trained.err;
  }

  // Commands that write into a folder `new/deep` or a folder of that name.
  static std::vector<std::vector<std::string>> writers() {
    const std::string model = "made/model-last";
    return {{"convert", "dev.conll", "new/deep/o.jsonl"},
            {"convert", "dev.conll", "new/deep/o.spacy"},
            {"convert", "dev.conll", "new/deep", "--shard-size", "5"},
            {"apply", model, "texts.txt", "-o", "new/deep/o.conllu"},
            {"evaluate", model, "dev.conll", "--output", "new/deep/o.json"},
            {"evaluate", model, "dev.conll", "--displacy-path", "new/deep"},
            {"render", "dev.conll", "-o", "new/deep/o.html"},
            {"init", "config", "new/deep/o.cfg"},
            {"init", "fill-config", "ner.cfg", "new/deep/o.cfg"},
            {"init", "labels", "ner.cfg", "new/deep"},
            {"init", "nlp", "ner.cfg", "new/deep"},
            {"init", "vectors", "en", "words.vec", "new/deep"},
            {"assemble", "sourced.cfg", "new/deep"},
            {"package", model, "new/deep", "--name", "p", "--version", "1.0.0"}};
  }
};

// No file may have more than one byte, as on a disk that is full.
TEST_F(LeftFolders, NoneIsLeftBehindOnAFullDisk) {
  for (const std::vector<std::string>& words : writers()) {
    Child command(words, folder_, "/dev/null", 1);
    EXPECT_EQ(command.wait(), 1) << words[0] << ' ' << words[1];
    EXPECT_FALSE(fs::exists(path("new"))) << words[0] << ' ' << words[1];
    fs::remove_all(path("new"));
  }
}

TEST_F(LeftFolders, ThoseThatWereThereStay) {
  fs::create_directories(path("new/deep"));
  for (const std::vector<std::string>& words : writers()) {
    Child command(words, folder_, "/dev/null", 1);
    EXPECT_GT(command.wait(), 0) << words[0] << ' ' << words[1];
    EXPECT_TRUE(fs::is_empty(path("new/deep"))) << words[0] << ' ' << words[1];
  }
}

TEST_F(LeftFolders, NoneIsLeftBehindForAFolderWhoseNameIsAFile) {
  write_text(path("taken"), "");
  const Outcome made = run_weft({"convert", path("dev.conll"), path("new/../taken/deep/o.jsonl")});
  EXPECT_EQ(made.code, 1) << made.err;
  EXPECT_NE(made.err.find("Not a directory"), std::string::npos) << made.err;
  EXPECT_FALSE(fs::exists(path("new")));
}

TEST_F(LeftFolders, AnOutputThatIsWrittenKeepsItsFolders) {
  for (const std::vector<std::string>& words : writers()) {
    Child command(words, folder_, "/dev/null");
    EXPECT_EQ(command.wait(), 0) << words[0] << ' ' << words[1];
    EXPECT_FALSE(fs::is_empty(path("new/deep"))) << words[0] << ' ' << words[1];
    fs::remove_all(path("new"));
  }
}

}  // namespace
}  // namespace weft::testing_tools
