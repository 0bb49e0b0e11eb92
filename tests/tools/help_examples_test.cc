// The example at the end of every help text does what it promises, in a folder with the files that
// it names. Its config is the one that the example of `init config` writes.
#include <cstdlib>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_names.h"
#include "tests/tools/program.h"
#include "tests/tools/shell_line.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Behind "example: ".
std::string example_of(const std::string& help) {
  const std::string mark = "\nexample: ";
  const auto at = help.rfind(mark);
  if (at == help.npos) return "";
  const auto end = help.find('\n', at + mark.size());
  return help.substr(at + mark.size(), end - at - mark.size());
}

void replace(std::string& text, const std::string& old, const std::string& now) {
  const auto at = text.find(old);
  ASSERT_NE(at, text.npos) << old;
  text.replace(at, old.size(), now);
}

class HelpExamples : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    const std::string help = run_weft({"--help"}).out;
    for (const std::string& name : command_names(help)) {
      examples_[name] = example_of(run_line(folder_, "weft " + name + " --help").out);
    }
    examples_["--help"] = example_of(help);
  }

  // Each runs once; files left at the end were forgotten.
  void run(const std::string& command) {
    const auto found = examples_.find(command);
    ASSERT_NE(found, examples_.end()) << command;
    const Outcome outcome = run_line(folder_, found->second);
    EXPECT_EQ(outcome.code, 0) << found->second << '\n' << outcome.err;
    examples_.erase(found);
  }

  // A command that goes on until it is interrupted; on a port that is free. One signal reaches it,
  // as a second would end it at once.
  void run_for_a_while(const std::string& command) {
    std::string& example = examples_.at(command);
    replace(example, "--port 8000", "--port 0");
    example = "timeout --foreground --preserve-status -s INT 3 " + example;
    run(command);
  }

  void write_data() {
    write_text(folder_ / "train.conll", small_corpus(20));
    write_text(folder_ / "texts.txt", "Ada went to Oslo.\nGrace went to Lima.\n");
    for (const char* name : {"dev", "test"}) {
      write_text(folder_ / (std::string(name) + ".conll"), small_corpus(6));
      const std::string line = std::string("weft convert ") + name + ".conll " + name + ".spacy";
      ASSERT_EQ(run_line(folder_, line).code, 0);
    }
  }

  // The config as it was written, for two steps instead of 20,000.
  void shorten_config() {
    std::string config = read_text(folder_ / "train.cfg");
    replace(config, "max_steps = 20000", "max_steps = 2");
    replace(config, "eval_frequency = 200", "eval_frequency = 1");
    write_text(folder_ / "base.cfg", config);
    fs::remove(folder_ / "train.cfg");
  }

  fs::path folder_;
  std::map<std::string, std::string> examples_;  // by command
};

TEST_F(HelpExamples, Run) {
  write_data();
  run("--help");
  fs::remove(folder_ / "train.cfg");
  run("init config");
  shorten_config();
  for (const char* command :
       {"init fill-config", "convert", "train", "evaluate", "apply", "tokenize", "benchmark speed",
        "init labels", "debug config", "debug diff-config", "debug model", "debug profile",
        "debug data", "precision plan", "registry", "info", "init nlp", "package"}) {
    run(command);
  }
  run_for_a_while("serve");
  EXPECT_EQ(examples_.at("predict"), example_of(run_weft({"apply", "--help"}).out));
  EXPECT_EQ(examples_.at("benchmark accuracy"), example_of(run_weft({"evaluate", "--help"}).out));
  examples_.erase("predict");
  examples_.erase("benchmark accuracy");
  write_text(folder_ / "both.cfg",
             "[nlp]\nlang = \"en\"\npipeline = [\"tok2vec\", \"ner\"]\n[components]\n"
             "[components.tok2vec]\nsource = \"out/model-best\"\n"
             "[components.ner]\nsource = \"out/model-best\"\n");
  run("assemble");
  const fs::path vectors = folder_ / "cc.en.300.vec";
  write_text(vectors, "2 3\nAda 1 0 0\nOslo 0 1 0\n");
  ASSERT_EQ(std::system(("gzip " + vectors.string()).c_str()), 0);
  run("init vectors");
  // They want other pipelines, data and packages, which their own tests have; serve listens until
  // it is told to end.
  for (const char* elsewhere :
       {"render", "calibrate", "find-threshold", "pretrain", "serve", "ray train"}) {
    examples_.erase(elsewhere);
  }
  // A step can be replayed after a run that diverged.
  const Outcome diverged =
      run_line(folder_,
               "weft train train.cfg --paths.train train.spacy --paths.dev dev.spacy --output out "
               "--overwrite --training.optimizer.learn_rate 1e25 --training.optimizer.L2 0.0 "
               "--training.checkpoints.every_steps 1 --training.max_steps 40");
  ASSERT_EQ(diverged.code, 4) << diverged.err;
  run("debug step");
  for (const char* run_of : {"runs/a", "runs/b", "runs/c"}) {
    const Outcome trained = run_line(
        folder_, std::string("weft train train.cfg --paths.train train.spacy --paths.dev dev.spacy "
                             "--training.max_steps 2 --output ") +
                     run_of);
    ASSERT_EQ(trained.code, 0) << trained.err;
  }
  run("compare");
  for (const auto& [command, example] : examples_) {
    ADD_FAILURE() << "no test runs the example of " << command << ": " << example;
  }
}

TEST_F(HelpExamples, ACorpusOfAnotherFormatIsNamed) {
  write_data();
  ASSERT_EQ(run_line(folder_, "weft init config train.cfg").code, 0);
  const Outcome outcome =
      run_line(folder_, "weft train train.cfg --paths.train train.conll --paths.dev dev.conll");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("this is CoNLL text"));
  EXPECT_THAT(outcome.err, HasSubstr("weft.ConllCorpus.v1"));
  EXPECT_THAT(outcome.err, HasSubstr("`weft convert "));
  EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("zlib")));
}

}  // namespace
}  // namespace weft::testing_tools
