// [system] memory and `train --dry-run`, as users see them.
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/folders.h"
#include "tests/sanitizers.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using Words = std::vector<std::string>;

struct Measured {
  int code = -1;
  double bytes = 0.0;  // the most memory that the process had
  std::string err;
};

// The built program with its peak of memory.
Measured measure(const Words& words, const fs::path& err) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::string program = build_path("bin/weft");
    std::vector<std::string> copies = words;
    std::vector<char*> arguments = {program.data()};
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int file = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    ::execv(program.c_str(), arguments.data());
    ::_exit(127);
  }
  int status = 0;
  rusage usage = {};
  ::wait4(child, &status, 0, &usage);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          1024.0 * static_cast<double>(usage.ru_maxrss), read_text(err)};
}

class MemoryBudgetTest : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "train.conll", small_corpus(4000));
    write_text(folder_ / "dev.conll", small_corpus(50));
    write_text(folder_ / "test.cfg", small_config());
  }

  // A network as wide as the default one, batches of many words.
  Words train(const Words& more) const {
    Words words = {"train", (folder_ / "test.cfg").string()};
    const Words fixed = {"--paths.train",
                         (folder_ / "train.conll").string(),
                         "--paths.dev",
                         (folder_ / "dev.conll").string(),
                         "--components.ner.model.tok2vec.embed.width",
                         "96",
                         "--components.ner.model.tok2vec.encode.width",
                         "96",
                         "--components.ner.model.tok2vec.encode.depth",
                         "4",
                         "--training.max_steps",
                         "2",
                         "--training.eval_frequency",
                         "2",
                         "--threads",
                         "2"};
    words.insert(words.end(), fixed.begin(), fixed.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  fs::path folder_ = fresh_folder();
};

TEST_F(MemoryBudgetTest, LargeBatchesStayWithinIt) {
  if (kHasSanitizer) GTEST_SKIP() << "a sanitizer needs memory of its own";
  const Words large = {"--training.batcher.size", "20000"};
  const Measured free = measure(train(large), folder_ / "free.txt");
  ASSERT_EQ(free.code, 0) << free.err;
  ASSERT_GT(free.bytes, 300e6) << "the batch has to be large enough to test anything";
  Words limited = large;
  limited.insert(limited.end(), {"--system.memory", "200MB", "--output", "out"});
  limited.back() = (folder_ / "out").string();
  const Measured budget = measure(train(limited), folder_ / "budget.txt");
  ASSERT_EQ(budget.code, 0) << budget.err;
  EXPECT_LE(budget.bytes, 200e6);
  EXPECT_THAT(read_text(folder_ / "out/config.cfg"), HasSubstr("memory = \"200MB\""));
}

// tools/measure_stream.py does this with millions of sentences.
TEST_F(MemoryBudgetTest, AStreamTakesNoMoreMemoryWhereItIsLonger) {
  if (kHasSanitizer) GTEST_SKIP() << "a sanitizer needs memory of its own";
  const auto peak = [&](int sentences) {
    write_text(folder_ / "train.conll", small_corpus(sentences));
    const std::string steps = std::to_string(sentences * 6 / 5000 + 1);
    const Measured run = measure({"train",
                                  (folder_ / "test.cfg").string(),
                                  "--paths.train",
                                  (folder_ / "train.conll").string(),
                                  "--paths.dev",
                                  (folder_ / "dev.conll").string(),
                                  "--training.max_epochs",
                                  "-1",
                                  "--training.shuffle_window",
                                  "500",
                                  "--training.batcher.size",
                                  "5000",
                                  "--training.max_steps",
                                  steps,
                                  "--training.eval_frequency",
                                  steps,
                                  "--training.patience",
                                  "0",
                                  "--threads",
                                  "1"},
                                 folder_ / "stream.txt");
    EXPECT_EQ(run.code, 0) << run.err;
    return run.bytes;
  };
  const double shorter = peak(8000);
  const double longer = peak(60000);  // its examples alone take some 30 MB
  EXPECT_LE(longer, shorter + 4e6);
}

TEST_F(MemoryBudgetTest, ALongDocumentIsNamedBeforeItCanDoHarm) {
  std::string text = small_corpus(30);
  for (int i = 0; i < 10000; ++i) text += "word\tO\n";
  text += "\n" + small_corpus(30);
  write_text(folder_ / "train.conll", text);
  write_text(folder_ / "dev.conll", text);
  const Measured fits = measure(train({"--system.memory", "600MB"}), folder_ / "fits.txt");
  EXPECT_EQ(fits.code, 0) << fits.err;
  if (!kHasSanitizer) {
    EXPECT_LE(fits.bytes, 600e6);
  }
  const Measured small = measure(train({"--system.memory", "120MB"}), folder_ / "small.txt");
  EXPECT_EQ(small.code, 5) << small.err;
  EXPECT_THAT(small.err, ContainsRegex("train.conll:[0-9]+, document 31: a document of 10000 "
                                       "tokens is too long to train on"));
  EXPECT_THAT(small.err, HasSubstr("max_length"));
}

TEST_F(MemoryBudgetTest, WhatIsNoAmountOrTooLittleIsSaidSo) {
  const Outcome wrong = run_weft(train({"--system.memory", "lots"}));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("\"lots\" is no amount of memory"));
  const Outcome gpu = run_weft(train({"--system.gpu_memory", "lots"}));
  EXPECT_EQ(gpu.code, 2);
  EXPECT_THAT(gpu.err, HasSubstr("gpu_memory"));
  const Outcome little = run_weft(train({"--system.memory", "20MB"}));
  EXPECT_EQ(little.code, 2);
  EXPECT_THAT(little.err, HasSubstr("is too little: the program takes about"));
}

TEST_F(MemoryBudgetTest, ADryRunSaysWhatTheLongestBatchTakesAndWritesNothing) {
  std::string text = small_corpus(500) + "\n";
  for (int i = 0; i < 900; ++i) text += "word\tO\n";
  text += "\n" + small_corpus(500);
  write_text(folder_ / "train.conll", text);
  const fs::path output = folder_ / "out";
  const Outcome outcome = run_weft(train({"--dry-run", "--output", output.string()}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              ContainsRegex("longest of 3 batches: 1 documents, 900 words; its longest "
                            "document has 900 \\(.*train.conll:[0-9]+, document 501"));
  EXPECT_THAT(outcome.out, ContainsRegex("forward and back, estimated +[0-9.]+ MB"));
  EXPECT_THAT(outcome.out, ContainsRegex("forward and back, measured +[0-9.]+ MB"));
  EXPECT_THAT(outcome.out, HasSubstr("nothing was trained or written"));
  EXPECT_FALSE(fs::exists(output));
}

TEST_F(MemoryBudgetTest, ADryRunFindsWhatIsWrongWithTheData) {
  write_text(folder_ / "dev.conll", "");
  const Outcome outcome = run_weft(train({"--dry-run"}));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("dev.conll"));
}

}  // namespace
}  // namespace weft::testing_tools
