// The examples of docs/coming-from-spacy.md run in their order, and its table knows every command.
#include <sstream>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/tools/program.h"
#include "tests/tools/shell_line.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string page() {
  return read_text(source_path("docs/coming-from-spacy.md"));
}

// Lines of the page that begin so.
std::vector<std::string> lines_with(const std::string& beginning) {
  std::vector<std::string> lines;
  std::istringstream text(page());
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with(beginning)) lines.push_back(line);
  }
  return lines;
}

TEST(ComingFromSpacy, EveryExampleRuns) {
  const fs::path folder = fresh_folder();
  write_text(folder / "train.conll", small_corpus(20));
  write_text(folder / "dev.iob", "Ada|B-person went|O to|O Oslo|B-place\nAlan|B-person left|O\n");
  write_text(folder / "words.conll", "Ada B-person\nleft O\n. O\nAlan B-person\nsang O\n");
  write_text(folder / "texts.txt", "Ada went to Oslo.\n");
  write_text(folder / "vectors.txt", "3 2\nAda 1 2\nOslo 2 1\nthe 0 0.5\n");
  ASSERT_EQ(run_line(folder, "weft init config train.cfg").code, 0);
  const std::vector<std::string> examples = lines_with("weft ");
  ASSERT_GT(examples.size(), 15U);
  for (const std::string& line : examples) {
    const Outcome outcome = run_line(folder, line);
    EXPECT_EQ(outcome.code, 0) << line << '\n' << outcome.err;
  }
  EXPECT_THAT(run_line(folder,
                       "weft debug config train.cfg --explain corpora.train.path "
                       "--paths.train train.spacy")
                  .out,
              HasSubstr("paths.train is set by command line --paths.train"));
}

TEST(ComingFromSpacy, SecondNamesOfOptionsAreTaken) {
  const fs::path folder = fresh_folder();
  write_text(folder / "train.conll", small_corpus(20));
  write_text(folder / "train.cfg", small_config());
  const Outcome trained =
      run_line(folder,
               "weft train train.cfg --output-path=out -VV --paths.train train.conll "
               "--paths.dev train.conll --training.max_steps 1");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("--paths.train"));  // as by --verbose
  const Outcome drawn = run_line(
      folder, "weft evaluate out/model-last train.conll -dp pages -dl 2 -sk sc --output s.json");
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_TRUE(fs::exists(folder / "pages/entities.html"));
  EXPECT_THAT(run_line(folder, "weft info out/model-last -md").out, HasSubstr("| "));
  EXPECT_THAT(run_line(folder, "weft init config - -pt -p ner").out, HasSubstr("[pretraining]"));
  // An override without a value does not take one of them for its value.
  const Outcome told = run_line(folder, "weft debug config train.cfg --nlp.load_vocab_data -VV");
  EXPECT_THAT(told.err + told.out, Not(HasSubstr("-VV")));
  const Outcome empty = run_line(folder, "weft train train.cfg --output-path=");
  EXPECT_EQ(empty.code, 2);
  EXPECT_THAT(empty.err, HasSubstr("there is no value in '--output-path='"));
  EXPECT_THAT(run_line(folder, "weft tokenize train.conll -sk x").err, HasSubstr("unknown option"));
}

TEST(ComingFromSpacy, TheTableKnowsEveryCommand) {
  const std::string text = page();
  const std::string help = run_weft({"--help"}).out;
  std::istringstream lines(help);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ") || line.starts_with("  --")) continue;
    const std::string name = line.substr(2, line.find("  ", 2) - 2);
    if (name == "predict") continue;  // another name of apply
    EXPECT_THAT(text, HasSubstr("`" + name)) << "docs/coming-from-spacy.md leaves it out";
    ++commands;
  }
  EXPECT_GT(commands, 15);
}

// The commands and options of spaCy 3.8 that the page calls the same.
TEST(ComingFromSpacy, OptionsAreThere) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands = {
      {"train", {"--output", "--code", "--verbose", "--gpu-id"}},
      {"evaluate",
       {"--output", "--code", "--gpu-id", "--gold-preproc", "--displacy-path", "--displacy-limit",
        "--per-component", "--spans-key"}},
      {"benchmark accuracy", {"--output", "--code", "--gpu-id", "--gold-preproc"}},
      {"benchmark speed", {"--warmup", "--code", "--gpu-id"}},
      {"apply", {"--code", "--gpu-id", "--text-key", "--force", "--batch-size", "--n-process"}},
      {"assemble", {"--code", "--verbose"}},
      {"convert",
       {"--converter", "--n-sents", "--lang", "--file-type", "--seg-sents", "--base",
        "--morphology", "--merge-subtokens", "--ner-map"}},
      {"init config", {"--lang", "--pipeline", "--optimize", "--gpu", "--force"}},
      {"init fill-config", {"--pretraining", "--code"}},
      {"init vectors",
       {"--prune", "--truncate", "--mode", "--name", "--attr", "--verbose", "--lexemes-jsonl"}},
      {"init nlp", {"--code", "--verbose", "--gpu-id"}},
      {"init labels", {"--code", "--verbose"}},
      {"debug config", {"--code", "--show-functions", "--show-variables"}},
      {"debug data", {"--code", "--verbose"}},
      {"debug diff-config", {"--compare-to", "--optimize", "--gpu", "--pretraining", "--markdown"}},
      {"find-threshold", {"--n_trials", "--code", "--gpu-id", "--gold-preproc", "--verbose"}},
      {"info", {"--markdown", "--exclude", "--silent"}},
      {"package",
       {"--code", "--meta", "--create-meta", "--name", "--version", "--build", "--force",
        "--require-parent"}}};
  const std::string text = page();
  for (const auto& [command, options] : commands) {
    EXPECT_THAT(text, HasSubstr("`" + command)) << command;
    std::vector<std::string> words;
    std::istringstream parts(command);
    for (std::string word; parts >> word;) words.push_back(word);
    words.emplace_back("--help");
    const Outcome help = run_weft(words);
    EXPECT_EQ(help.code, 0) << command;
    for (const std::string& option : options) {
      EXPECT_THAT(help.out, HasSubstr(option)) << command;
    }
  }
}

// The options of spaCy 3.8 that have no counterpart of their name: the page says where they went.
TEST(ComingFromSpacy, OtherOptionsAreToldOf) {
  const std::string text = page();
  for (const char* option :
       {"--batches", "--batch-size", "--no-shuffle", "--concatenate", "--diff", "--ignore-warnings",
        "--no-format", "--layers", "--dimensions", "--parameters", "--attributes", "--gradients",
        "--print-step0", "--n-texts", "--registry", "--url"}) {
    EXPECT_THAT(text, HasSubstr("`" + std::string(option)));
  }
}

}  // namespace
}  // namespace weft::testing_tools
