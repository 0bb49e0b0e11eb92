// The progress line of a run, on terminals of several widths, and where there is none.
#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/child.h"
#include "tests/tools/pseudo_terminal.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

class ProgressTest : public TrainingFolder {
 protected:
  void SetUp() override {
    TrainingFolder::SetUp();
    write_text(folder_ / "train.conll", small_corpus(2000));
    write_text(folder_ / "dev.conll", small_corpus(2000));
  }
  Words train_words(const Words& more = {}) const {
    Words words = {"train", path("ner.cfg"), "--output", "out", "--training.patience", "0"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // The pieces between two erasures: what was drawn, each a line or an end of one.
  static Words drawn(const std::string& written) {
    Words all;
    for (std::size_t at = 0; at != std::string::npos;) {
      const std::size_t end = written.find("\r\x1b[K", at);
      const std::string piece = written.substr(at, end == std::string::npos ? end : end - at);
      const std::size_t line = piece.rfind('\n');
      all.push_back(line == std::string::npos ? piece : piece.substr(line + 1));
      at = end == std::string::npos ? end : end + 4;
    }
    return all;
  }
  static bool any_has(const Words& all, const std::string& part) {
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& one) { return one.find(part) != std::string::npos; });
  }
};

TEST_F(ProgressTest, IsThereByDefaultAndFitsTheTerminal) {
  for (const int columns : {120, 80, 40, 20}) {
    fs::remove_all(folder_ / "out");
    PseudoTerminal terminal(train_words({"--training.max_steps", "3000"}), folder_, columns);
    ASSERT_EQ(terminal.wait(), 0) << terminal.written();
    const Words lines = drawn(terminal.written());
    EXPECT_TRUE(any_has(lines, "reading [corpora")) << terminal.written();
    EXPECT_TRUE(any_has(lines, "evaluating")) << columns;
    EXPECT_TRUE(any_has(lines, "/3000")) << columns;
    EXPECT_EQ(any_has(lines, " left"), columns >= 40);
    EXPECT_EQ(any_has(lines, "epoch "), columns >= 80);
    EXPECT_TRUE(columns >= 40 || !any_has(lines, "[#"));
    for (const std::string& line : lines) {
      if (line.find("step ") == 0 || line.find("evaluating") == 0) {
        EXPECT_LT(line.size(), static_cast<std::size_t>(columns)) << line;
      }
    }
    if (columns < 80) continue;  // the table is wider itself
    // Nothing of it is left beside table and messages.
    for (const std::string& line : screen_of(terminal.written(), 1000)) {
      EXPECT_THAT(line, Not(HasSubstr("steps/s")));
      EXPECT_THAT(line, Not(HasSubstr("evaluating")));
    }
  }
}

TEST_F(ProgressTest, FollowsATerminalThatIsResized) {
  PseudoTerminal terminal(
      train_words({"--training.max_steps", "0", "--training.eval_frequency", "1000000"}), folder_,
      120);
  // Lines are long again, and stay so, once the first step has been evaluated.
  ASSERT_TRUE(terminal.read_until([](const std::string& text) {
    const std::size_t evaluated = text.find("evaluating");
    return evaluated != std::string::npos && text.find("epoch ", evaluated) != std::string::npos;
  }));
  terminal.resize(15);
  const std::size_t before = terminal.written().size();
  ASSERT_TRUE(
      terminal.read_until([&](const std::string& text) { return text.size() > before + 2000; }));
  const Words lines = drawn(terminal.written().substr(before + 1000));
  for (const std::string& line : lines) EXPECT_LT(line.size(), 15u) << line;
  // A line that stood there when the terminal shrank took several of its lines.
  EXPECT_THAT(terminal.written(), HasSubstr("\x1b[A\x1b[K"));
}

TEST_F(ProgressTest, NothingOfItGoesToAFile) {
  const fs::path told = folder_ / "told.txt";
  ASSERT_EQ(run_child(train_words({"--training.max_steps", "40"}), folder_, told), 0);
  const std::string text = read_text(told);
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("evaluating")));
}

TEST_F(ProgressTest, TheTableStaysWholeWhereItAloneGoesToAFile) {
  PseudoTerminal terminal(train_words({"--training.max_steps", "40"}), folder_, 80,
                          folder_ / "table.txt");
  ASSERT_EQ(terminal.wait(), 0);
  EXPECT_THAT(terminal.written(), HasSubstr("evaluating"));
  const std::string table = read_text(folder_ / "table.txt");
  EXPECT_THAT(table, HasSubstr("LOSS NER"));
  EXPECT_THAT(table, Not(HasSubstr("\x1b")));
  EXPECT_THAT(table, Not(HasSubstr("step")));
}

TEST_F(ProgressTest, CanBeSwitchedOff) {
  PseudoTerminal terminal(train_words({"--training.max_steps", "40", "--no-progress"}), folder_,
                          80);
  ASSERT_EQ(terminal.wait(), 0);
  EXPECT_THAT(terminal.written(), Not(HasSubstr("\x1b")));
}

TEST_F(ProgressTest, ATerminalThatIsClosedLosesNothing) {
  PseudoTerminal terminal(train_words({"--training.max_steps", "0"}), folder_, 80);
  ASSERT_TRUE(terminal.read_until(
      [](const std::string& text) { return text.find("epoch ") != std::string::npos; }));
  terminal.hang_up();
  EXPECT_EQ(terminal.wait(), 128 + SIGHUP);
  const Outcome resumed =
      run_weft({"train", "--resume", "--output", path("out"), "--training.max_steps", "1"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("going on from"));
  EXPECT_THAT(read_text(folder_ / "out/run.json"), HasSubstr("\"interrupted\""));
}

}  // namespace
}  // namespace weft::testing_tools
