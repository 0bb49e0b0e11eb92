// Commands refuse outputs in whose place something lies that they read.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class KeptInputs : public TrainingFolder {
 protected:
  // A command line that is refused with `message`, and after which the file is as it was.
  void refused(const std::vector<std::string>& words, const std::string& kept,
               const std::string& message) const {
    const std::string before = read_text(folder_ / kept);
    const Outcome outcome = run_weft(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_EQ(read_text(folder_ / kept), before) << kept;
  }
  // The same of training with this file, a copy of the training data.
  void train_refused(const std::string& data, const std::vector<std::string>& more,
                     const std::string& message) const {
    fs::create_directories((folder_ / data).parent_path());
    fs::copy_file(folder_ / "train.conll", folder_ / data, fs::copy_options::overwrite_existing);
    std::vector<std::string> words = {"train",    path("ner.cfg"), "--paths.train",
                                      path(data), "--output",      path("out")};
    words.insert(words.end(), more.begin(), more.end());
    refused(words, data, message);
  }
};

TEST_F(KeptInputs, ARunReplacesNoFolderWithItsData) {
  ASSERT_EQ(train("out", {"--training.max_steps", "2"}).code, 0);
  for (const char* folder : {"model-last", "model-best", "checkpoint", "diverged"}) {
    train_refused(std::string("out/") + folder + "/my.conll", {"--overwrite"},
                  std::string(folder) + ", which the run replaces");
    fs::remove(folder_ / "out" / folder / "my.conll");
  }
  fs::rename(folder_ / "out/checkpoint", folder_ / "out/checkpoint-7");
  train_refused("out/checkpoint-7/my.conll", {"--overwrite"}, "checkpoint-7, which the run");
  // Beside them is room for data.
  fs::copy_file(folder_ / "train.conll", folder_ / "out/my.conll");
  const Outcome trained =
      run_weft({"train", path("ner.cfg"), "--overwrite", "--output", path("out"), "--paths.train",
                path("out/my.conll"), "--training.max_steps", "2"});
  EXPECT_EQ(trained.code, 0) << trained.err;
  // A variable that nothing reads is no input.
  std::string config = read_text(folder_ / "ner.cfg");
  config.insert(config.find("[paths]\n") + 8, "old = \"" + path("out/model-best") + "\"\n");
  write_text(folder_ / "ner.cfg", config);
  const Outcome unread = train("out", {"--overwrite", "--training.max_steps", "2"});
  EXPECT_EQ(unread.code, 0) << unread.err;
}

TEST_F(KeptInputs, ARunWritesOverNoneOfItsData) {
  for (const char* file : {"log.jsonl", "run.json", "config.cfg"}) {
    train_refused(std::string("out/") + file, {"--overwrite"}, "is written by it");
    fs::remove_all(folder_ / "out");
  }
  train_refused("out/log.jsonl", {"--resume"}, "no checkpoint to go on from");
  fs::remove_all(folder_ / "out");
  train_refused("mine.jsonl",
                {"--overwrite", "--training.logger.@loggers", "spacy.ConsoleLogger.v3",
                 "--training.logger.output_file", path("mine.jsonl")},
                "[training.logger] writes it");
}

TEST_F(KeptInputs, ALogOfSomebodyElseIsNoBeginningOfARun) {
  fs::create_directory(folder_ / "out");
  write_text(folder_ / "out/log.jsonl", "{\"text\": \"my own\"}\n{\"text\": \"lines\"}\n");
  refused({"train", path("ner.cfg"), "--resume", "--output", path("out")}, "out/log.jsonl",
          "no checkpoint to go on from");
}

TEST_F(KeptInputs, ARunIsNoPartOfItsData) {
  fs::create_directory(folder_ / "data");
  const Outcome converted = run_weft({"convert", path("train.conll"), path("data/a.jsonl")});
  ASSERT_EQ(converted.code, 0) << converted.err;
  refused({"train", path("ner.cfg"), "--corpora.train.@readers", "spacy.JsonlCorpus.v1",
           "--paths.train", path("data"), "--output", path("data/out")},
          "data/a.jsonl", "a folder of training data");
  EXPECT_FALSE(fs::exists(folder_ / "data/out"));
}

// Tags, languages and names of components, as which folders of the working directory are named.
TEST_F(KeptInputs, ATextThatIsNoPathIsNoInput) {
  const fs::path told = folder_ / "told.txt";
  write_text(folder_ / "tags.cfg",
             read_text(folder_ / "ner.cfg") +
                 "\n[corpora.train.augmenter]\n@augmenters = \"spacy.orth_variants.v1\"\n"
                 "level = 0.0\nlower = 0.0\n"
                 "[corpora.train.augmenter.orth_variants]\n"
                 "single = [{\"tags\": [\".\"], \"variants\": [\"!\"]}]\npaired = []\n");
  const std::vector<std::string> run = {"train",
                                        "tags.cfg",
                                        "--corpora.train.@readers",
                                        "spacy.Corpus.v1",
                                        "--paths.train",
                                        "t.spacy",
                                        "--output",
                                        "out",
                                        "--training.max_steps",
                                        "1"};
  const Outcome converted = run_weft({"convert", path("train.conll"), path("t.spacy")});
  ASSERT_EQ(converted.code, 0) << converted.err;
  EXPECT_EQ(run_child(run, folder_, told), 0) << read_text(told);
  write_text(folder_ / "rules.cfg",
             "[nlp]\nlang = \"en\"\npipeline = [\"sentencizer\"]\n[components]\n"
             "[components.sentencizer]\nfactory = \"sentencizer\"\n");
  for (const char* output : {"en", "sentencizer"}) {
    for (int time = 0; time < 2; ++time) {
      EXPECT_EQ(run_child({"assemble", "rules.cfg", output}, folder_, told), 0) << read_text(told);
    }
  }
}

TEST_F(KeptInputs, PipelinesThatAreMadeReplaceNoInput) {
  const std::vector<std::string> words = {"init", "nlp", path("ner.cfg"), path("start")};
  ASSERT_EQ(run_weft(words).code, 0);
  fs::copy_file(folder_ / "train.conll", folder_ / "start/train.conll");
  std::vector<std::string> again = words;
  again.insert(again.end(), {"--paths.train", path("start/train.conll")});
  refused(again, "start/train.conll", "lies in " + path("start") + ", which would be replaced");

  ASSERT_EQ(train("out", {"--training.max_steps", "2"}).code, 0);
  write_text(folder_ / "both.cfg",
             "[nlp]\nlang = \"en\"\npipeline = [\"ner\"]\n[components]\n"
             "[components.ner]\nsource = \"" +
                 path("out/model-best") + "\"\n");
  refused({"assemble", path("both.cfg"), path("out/model-best")}, "out/model-best/ner/model",
          "is read, and would be replaced");
  refused({"train", path("both.cfg"), "--output", path("out"), "--overwrite"},
          "out/model-best/ner/model", "would be replaced by it");

  const std::vector<std::string> package = {"package",
                                            path("out/model-best"),
                                            path("packages"),
                                            "--build",
                                            "none",
                                            "--name",
                                            "mine",
                                            "--version",
                                            "1.0",
                                            "--force"};
  ASSERT_EQ(run_weft(package).code, 0);
  const std::string inside = "packages/en_mine-1.0/mine.py";
  write_text(folder_ / inside, "x = 1\n");
  std::vector<std::string> with_code = package;
  with_code.insert(with_code.end(), {"--code", path(inside)});
  refused(with_code, inside, "which would be replaced");
}

TEST_F(KeptInputs, NothingIsWrittenIntoThePipelineThatIsRead) {
  ASSERT_EQ(train("out", {"--training.max_steps", "2"}).code, 0);
  const std::string model = path("out/model-best"), meta = path("out/model-best/meta.json");
  const std::string message = "lies in the folder that is read";
  write_text(folder_ / "texts.txt", "Ada went to Oslo.\n");
  const std::string kept = "out/model-best/meta.json";
  refused({"apply", model, path("texts.txt"), meta, "--file-type", "jsonl"}, kept, message);
  refused({"evaluate", model, path("dev.conll"), "--output", meta}, kept, message);
  refused({"evaluate", model, path("dev.conll"), "--displacy-path", model}, kept, message);
  EXPECT_FALSE(fs::exists(folder_ / "out/model-best/entities.html"));
  refused({"render", path("texts.txt"), "--pipeline", model, "--output", meta}, kept, message);
}

TEST_F(KeptInputs, LabelsDoNotReplaceTheCorpus) {
  fs::create_directory(folder_ / "labels");
  const Outcome converted = run_weft({"convert", path("train.conll"), path("labels/x.jsonl")});
  ASSERT_EQ(converted.code, 0) << converted.err;
  fs::rename(folder_ / "labels/x.jsonl", folder_ / "labels/ner.json");
  refused({"init", "labels", path("ner.cfg"), path("labels"), "--corpora.train.@readers",
           "spacy.JsonlCorpus.v1", "--paths.train", path("labels/ner.json")},
          "labels/ner.json", "is the input itself");
}

}  // namespace
}  // namespace weft::testing_tools
