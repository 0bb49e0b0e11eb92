// A pipeline with a component that is not here is used for the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ComponentChoiceOfCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "ner.cfg", small_config());
    write_text(folder_ / "train.conll", small_corpus(20));
    const Outcome trained =
        run_weft({"train", path("ner.cfg"), "--paths.train", path("train.conll"), "--paths.dev",
                  path("train.conll"), "-o", path("out"), "--training.max_steps", "1"});
    ASSERT_EQ(trained.code, 0) << trained.err;
    add_unknown_component(folder_ / "out/model-last/config.cfg");
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static void add_unknown_component(const fs::path& file) {
    std::string config = read_text(file);
    const auto list = config.find("\npipeline = [");
    ASSERT_NE(list, config.npos);
    config.insert(config.find(']', list), ",\"acme\"");
    write_text(file, config + "\n[components.acme]\nfactory = \"acme.parser\"\ndepth = 3\n");
  }

  fs::path folder_;
};

TEST_F(ComponentChoiceOfCommands, TheErrorSaysHowToLeaveItOut) {
  const Outcome outcome = run_weft({"apply", path("out/model-last"), path("train.conll")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--exclude acme"));
}

TEST_F(ComponentChoiceOfCommands, TheOthersAreUsed) {
  const std::vector<std::vector<std::string>> commands = {
      {"apply", path("out/model-last"), path("train.conll")},
      {"evaluate", path("out/model-last"), path("train.conll"), "--json"},
      {"benchmark", "speed", path("out/model-last"), path("train.conll"), "--repeats", "1"}};
  for (const auto& command : commands) {
    for (const auto& choice :
         {std::vector<std::string>{"--exclude", "acme"}, {"--enable", "ner"}}) {
      std::vector<std::string> words = command;
      words.insert(words.end(), choice.begin(), choice.end());
      const Outcome outcome = run_weft(words);
      EXPECT_EQ(outcome.code, 0) << command[0] << ' ' << choice[0] << '\n' << outcome.err;
    }
  }
}

TEST_F(ComponentChoiceOfCommands, NamesHaveToBeThere) {
  const Outcome outcome =
      run_weft({"apply", path("out/model-last"), path("train.conll"), "--exclude", "parser"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no component 'parser'; it has"));
  const Outcome both = run_weft({"apply", path("out/model-last"), path("train.conll"), "--exclude",
                                 "ner,acme", "--enable", "ner"});
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("'ner' is to be enabled and excluded"));
}

}  // namespace
}  // namespace weft::testing_tools
