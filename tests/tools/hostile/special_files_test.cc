// Pipes, folders and devices in the place of every file that is read: each command ends within its
// bounds and says which file it was.
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "framework/io/npy.h"
#include "tests/folders.h"
#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/hostile/special_file.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SpecialFilesTest : public TrainingFolder {
 protected:
  void SetUp() override {
    TrainingFolder::SetUp();
    write_text(folder_ / "texts.txt", "Ada went to Oslo.\n");
    fs::create_directories(folder_ / "far");
  }

  void train_shortly() const {
    const Outcome trained =
        train("out", {"--training.max_steps", "2", "--training.eval_frequency", "1"});
    ASSERT_EQ(trained.code, 0) << trained.err;
  }

  static std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), folder));
    }
    return files;
  }

  // Runs the command with each kind of thing in the place of each file of the folder; the folder is
  // put back in between.
  template <class Check>
  void with_each(const std::string& in, const std::vector<std::string>& words, Check check) const {
    const fs::path whole = folder_ / "whole";
    fs::copy(folder_ / in, whole, fs::copy_options::recursive);
    for (const fs::path& file : files_in(whole)) {
      for (const std::string& kind : special_kinds()) {
        put_special(kind, folder_ / in / file, folder_ / "far");
        const std::string name = words.front() + ": " + file.string() + ": " + kind;
        check(run_hostile(name, words, folder_), file);
        fs::remove_all(folder_ / in);
        fs::copy(whole, folder_ / in, fs::copy_options::recursive);
      }
    }
    fs::remove_all(whole);
  }

  static std::string weft(const std::string& words) {
    return "'" + build_path("bin/weft") + "' " + words;
  }
};

void expect_named(const HostileRun& run, const fs::path& file) {
  expect_refused(run, file.filename().string());
}

TEST_F(SpecialFilesTest, EveryFileOfAPipeline) {
  train_shortly();
  with_each("out/model-last", {"apply", "out/model-last", "texts.txt"}, expect_named);
}

TEST_F(SpecialFilesTest, EveryFileOfAPipelineThatIsVerified) {
  train_shortly();
  with_each("out/model-last", {"info", "out/model-last", "--verify"},
            [](const HostileRun& run, const fs::path& file) {
              expect_ended_well(run);
              EXPECT_GT(run.code, 0) << run.name;
              EXPECT_THAT(run.out + run.err, HasSubstr(file.filename().string())) << run.name;
            });
}

TEST_F(SpecialFilesTest, EveryFileOfACheckpoint) {
  train_shortly();
  fs::remove_all(folder_ / "out/model-best");  // comes back from the checkpoint
  with_each("out/checkpoint", {"train", "--resume", "--output", "out"}, expect_named);
}

TEST_F(SpecialFilesTest, TheOtherFilesOfAnOutputFolder) {
  train_shortly();
  for (const char* file : {"run.json", "log.jsonl", "config.cfg"}) {
    fs::copy(folder_ / "out" / file, folder_ / "kept");
    for (const std::string kind : {"zero", "folder", "loop", "socket", "more holes"}) {
      put_special(kind, folder_ / "out" / file, folder_ / "far");
      expect_ended_well(run_hostile(
          file + (": " + kind),
          {"train", "--resume", "--output", "out", "--training.max_steps", "2"}, folder_));
      fs::remove_all(folder_ / "out" / file);
      fs::copy(folder_ / "kept", folder_ / "out" / file);
    }
    fs::remove(folder_ / "kept");
  }
}

TEST_F(SpecialFilesTest, ConfigsPluginsAndWhatConfigsName) {
  const std::string cfg = path("ner.cfg");
  const std::vector<std::vector<std::string>> commands = {
      {"debug", "config", "special.cfg"},
      {"train", "special.toml"},
      {"registry", "layers", "--code", "./special.so"},
      {"train", cfg, "--initialize.vocab_data", "special.jsonl"},
      {"train", cfg, "--initialize.init_tok2vec", "special.bin", "--pretraining.component", "ner"},
      {"train", cfg, "--initialize.vectors", "special-vectors"},
  };
  const std::vector<std::string> places = {"special.cfg", "special.toml",
                                           "special.so",  "special.jsonl",
                                           "special.bin", "special-vectors/vocab/vectors"};
  fs::create_directories(folder_ / "special-vectors/vocab");
  write_text(folder_ / "special-vectors/vocab/strings.json", "[]");
  for (std::size_t i = 0; i < commands.size(); ++i) {
    for (const std::string& kind : special_kinds()) {
      put_special(kind, folder_ / places[i], folder_ / "far");
      const HostileRun run = run_hostile(places[i] + ": " + kind, commands[i], folder_);
      expect_ended_well(run);
      EXPECT_GT(run.code, 0) << run.name;
      fs::remove_all(folder_ / places[i]);
    }
  }
}

TEST_F(SpecialFilesTest, Corpora) {
  for (const char* ending : {"spacy", "conll", "iob", "jsonl", "json", "txt"}) {
    const std::string name = std::string("special.") + ending;
    for (const std::string& kind : special_kinds()) {
      // A user may name a FIFO; a writer is waited for, once here.
      if (kind.starts_with("fifo") && (kind != "fifo" || std::string(ending) != "jsonl")) continue;
      put_special(kind, folder_ / name, folder_ / "far");
      const HostileRun run =
          run_hostile(name + ": " + kind, {"convert", name, "made.jsonl", "--lang", "en"}, folder_);
      expect_refused(run, "special");
      EXPECT_FALSE(fs::exists(folder_ / "made.jsonl")) << run.name;
    }
    fs::remove_all(folder_ / name);
  }
}

TEST_F(SpecialFilesTest, AFolderOfACorpus) {
  for (const std::string& kind : special_kinds()) {
    if (kind == "folder") continue;
    fs::create_directories(folder_ / "corpus/below");
    put_special(kind, folder_ / "corpus/below/a.spacy", folder_ / "far");
    expect_refused(run_hostile(kind, {"convert", "corpus", "made.jsonl"}, folder_), "a.spacy");
    fs::remove_all(folder_ / "corpus");
  }
}

TEST_F(SpecialFilesTest, WhatIsPipedIsReadAsBefore) {
  write_text(folder_ / "in.jsonl", "{\"words\": [\"Ada\"], \"ner_tags\": [\"B-PER\"]}\n");
  const std::string convert = weft("convert");
  const std::string to = " made.jsonl --converter jsonl 2>told";
  for (const std::string& command :
       {"cat in.jsonl | " + convert + " /dev/stdin" + to,
        "bash -c \"" + convert + " <(cat in.jsonl)" + to + "\"",
        "mkfifo in.fifo && { cat in.jsonl >in.fifo & } && " + convert + " in.fifo" + to}) {
    fs::remove(folder_ / "made.jsonl");
    const int status = std::system(("cd '" + folder_.string() + "' && " + command).c_str());
    ASSERT_EQ(WEXITSTATUS(status), 0) << command << read_text(folder_ / "told");
    EXPECT_THAT(read_text(folder_ / "made.jsonl"), HasSubstr("PER")) << command;
  }
  const std::string check = "cat ner.cfg | " + weft("debug config /dev/stdin >told 2>&1");
  EXPECT_EQ(std::system(("cd '" + folder_.string() + "' && " + check).c_str()), 0)
      << read_text(folder_ / "told");
}

// The message has the name and the reason, and not the function that found it.
TEST_F(SpecialFilesTest, NamesThatTheSystemRefuses) {
  train_shortly();
  fs::create_symlink("loop", folder_ / "loop");
  for (const std::string& name : {std::string("loop"), std::string(300, 'a')}) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"apply", name, "texts.txt"},
             {"debug", "model", name},
             {"render", "texts.txt", "--pipeline", name},
             {"train", "--resume", "--output", name},
             {"init", "nlp", "ner.cfg", "o", "--initialize.vectors", name},
             {"init", "nlp", "ner.cfg", name},
             {"init", "labels", "ner.cfg", name},
             {"init", "config", name}}) {
      const HostileRun run = run_hostile(words[0] + " " + words[1] + " " + name, words, folder_);
      expect_refused(run, name.substr(0, 100));
      EXPECT_THAT(run.err, ::testing::Not(HasSubstr("filesystem error"))) << run.name;
    }
  }
  const HostileRun nameless = run_hostile("calibrate ''", {"calibrate", "", "dev.conll"}, folder_);
  expect_ended_well(nameless);
  EXPECT_THAT(nameless.err, ::testing::Not(HasSubstr("filesystem error")));
}

// Vectors of NumPy get their words from another file, which is named.
TEST_F(SpecialFilesTest, RowsOfWordsThatATableHasNot) {
  write_npy_matrix(folder_ / "table.npy", Tensor::zeros({2, 3}));
  write_text(folder_ / "words.jsonl",
             "{\"orth\": \"a\", \"id\": 1}\n{\"orth\": \"b\", \"id\": 2}\n");
  const std::vector<std::string> words = {"init", "vectors",         "en",         "table.npy",
                                          "o",    "--lexemes-jsonl", "words.jsonl"};
  expect_refused(run_hostile("a row too many", words, folder_),
                 "words.jsonl:2:1  'b' has the row 2 of a table of 2 rows");
  write_text(folder_ / "words.jsonl", "{\"orth\": \"a\", \"id\": 1}\n{\"orth\": \"b\"}\n");
  const HostileRun made = run_hostile("a word without a row", words, folder_);
  expect_ended_well(made);
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.err, HasSubstr("1 words of words.jsonl have the row 0 or none"));
  for (const std::int64_t width : {0, 70000}) {
    write_npy_matrix(folder_ / "table.npy", Tensor::zeros({2, width}));
    expect_refused(run_hostile("a width", words, folder_),
                   "table.npy: vectors of " + std::to_string(width) + " numbers");
  }
}

}  // namespace
}  // namespace weft::testing_tools
