// Options that all commands have in common, and the small commands: info, and evaluate's file of
// scores.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/gemm_description.h"
#include "registry/value/json.h"
#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kCommands[] = {"train",        "evaluate",          "apply",
                                     "predict",      "tokenize",          "convert",
                                     "assemble",     "benchmark speed",   "benchmark accuracy",
                                     "init config",  "init fill-config",  "init labels",
                                     "debug config", "debug diff-config", "debug model",
                                     "debug data",   "debug step",        "registry",
                                     "info",         "compare",           "serve",
                                     "ray train"};

// "debug model" and more words.
std::vector<std::string> words_of(const std::string& command, std::vector<std::string> more) {
  const auto space = command.find(' ');
  std::vector<std::string> words = {command.substr(0, space)};
  if (space != std::string::npos) words.push_back(command.substr(space + 1));
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Commands, HelpFitsAScreenAndEndsWithAnExample) {
  for (const std::string command : kCommands) {
    const Outcome help = run_weft(words_of(command, {"--help"}));
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_EQ(help.err, "") << command;
    EXPECT_THAT(help.out, ::testing::StartsWith("usage: weft ")) << command;
    EXPECT_LE(std::count(help.out.begin(), help.out.end(), '\n'), 36) << command;
    const auto last = help.out.rfind('\n', help.out.size() - 2);
    EXPECT_THAT(help.out.substr(last + 1), ::testing::StartsWith("example: weft ")) << command;
  }
}

TEST(Commands, AnUnknownOptionIsRefused) {
  for (const std::string command : kCommands) {
    const Outcome outcome = run_weft(words_of(command, {"--nonsense"}));
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr("--nonsense")) << command;
    EXPECT_EQ(outcome.out, "") << command;
  }
}

class PipelineCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "ner.cfg", small_config());
    write_text(folder_ / "train.conll", small_corpus(20));
    const Outcome trained =
        run_weft({"train", path("ner.cfg"), "--paths.train", path("train.conll"), "--paths.dev",
                  path("train.conll"), "-o", path("out"), "--training.max_steps", "1"});
    ASSERT_EQ(trained.code, 0) << trained.err;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(PipelineCommands, EvaluateWritesItsScoresToAFileToo) {
  const Outcome outcome = run_weft({"evaluate", path("out/model-last"), path("train.conll"),
                                    "--json", "--output", path("deep/scores.json")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto printed = parse_json(outcome.out);
  const auto written = parse_json(read_text(folder_ / "deep/scores.json"));
  ASSERT_TRUE(printed && written);
  ASSERT_TRUE(printed->is_object() && written->is_object());
  for (const char* key : {"ents_p", "ents_r", "ents_f", "ents_per_type", "token_acc", "speed"}) {
    EXPECT_NE(printed->as_object().find(key), nullptr) << key;
    EXPECT_NE(written->as_object().find(key), nullptr) << key;
  }
  EXPECT_NEAR(written->as_object().find("ents_f")->as_float(),
              printed->as_object().find("ents_f")->as_float(), 1e-9);
}

TEST_F(PipelineCommands, InfoShowsTheBuildOrAPipelinesCard) {
  const auto build = parse_json(run_weft({"info", "--json"}).out);
  ASSERT_TRUE(build && build->is_object());
  for (const char* key : {"weft", "compiler", "plugin_abi", "devices", "plugins"}) {
    EXPECT_NE(build->as_object().find(key), nullptr) << key;
  }
  const auto card = parse_json(run_weft({"info", path("out/model-last"), "--json"}).out);
  ASSERT_TRUE(card && card->is_object());
  EXPECT_EQ(card->as_object().find("lang")->as_string(), "en");
  EXPECT_EQ(to_json(*card->as_object().find("pipeline")), "[\"ner\"]");
  EXPECT_EQ(run_weft({"info", path("out/model-last"), "--verify"}).code, 0);
  write_text(folder_ / "out/model-last/ner/cfg", "{}");
  const Outcome changed = run_weft({"info", path("out/model-last"), "--verify"});
  EXPECT_EQ(changed.code, 3);
  EXPECT_THAT(changed.out, HasSubstr("ner/cfg"));
  write_text(folder_ / "out/model-last/meta.json", "[]");
  EXPECT_EQ(run_weft({"info", path("out/model-last")}).code, 3);
}

TEST_F(PipelineCommands, AFolderThatIsNoPipelineIsWrongData) {
  fs::create_directories(folder_ / "other");
  write_text(folder_ / "other/notes.txt", "no pipeline\n");
  const std::string other = path("other");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"info", other},
                                                {"info", other, "--verify"},
                                                {"package", other, path("packages")},
                                                {"evaluate", other, path("train.conll")},
                                                {"apply", other, path("train.conll")}}) {
    const Outcome outcome = run_weft(words);
    EXPECT_EQ(outcome.code, 3) << words[0] << ": " << outcome.err;
    EXPECT_NE(outcome.err.find("is no pipeline"), std::string::npos) << outcome.err;
  }
}

// Every command that takes --code refuses a file with another hash, whatever else it is to do.
TEST(Commands, APluginsHashIsChecked) {
  const std::string plugin = build_path("tests/test_plugin_bringing.so");
  const std::string wrong = plugin + "@sha256:" + std::string(64, '0');
  for (const std::string command : kCommands) {
    const Outcome help = run_weft(words_of(command, {"--help"}));
    if (help.out.find("--code") == help.out.npos) continue;
    if (command == "ray train") continue;  // `train` loads plugins, where its ranks run
    // Words that exist, so that the hash is what is wrong.
    const std::string here = fresh_folder().string();
    write_text(fs::path(here) / "ner.cfg", small_config());
    std::vector<std::string> words = {"--code", wrong};
    if (command == "tokenize") {
      words.insert(words.end(), {"--lang", "en", here + "/ner.cfg"});
    } else if (command.starts_with("init") || command.starts_with("debug") ||
               command.starts_with("precision") || command == "train" || command == "assemble") {
      words.push_back(here + "/ner.cfg");
      if (command == "init config") words.back() = "-";
      if (command == "init labels" || command == "assemble") words.push_back(here + "/new");
      if (command == "debug profile") words.push_back(here + "/ner.cfg");
    } else if (command == "serve" || command == "package") {
      words.push_back(here);
      if (command == "package") words.push_back(here + "/new");
    } else if (command == "pretrain" || command == "find-threshold") {
      words.insert(words.end(), {here + "/ner.cfg", here + "/new"});
      if (command == "find-threshold") words.insert(words.end(), {"ner", "threshold", "ents_f"});
    } else if (command != "info" && command != "registry") {
      words.insert(words.end(), {here, here + "/ner.cfg"});
    }
    const Outcome outcome = run_weft(words_of(command, words));
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr("its SHA-256 is")) << command;
  }
}

TEST(Commands, InfoNamesWhatAPluginBringsAlong) {
  const std::string plugin = build_path("tests/test_plugin_bringing.so");
  const Outcome outcome = run_weft({"info", "--code", plugin});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("not_in_any_hash"));
  EXPECT_THAT(outcome.out, HasSubstr("libtest_brought.so (of test_plugin_bringing)"));
}

TEST(Commands, OnePluginUnderTwoNamesIsRefused) {
  const std::string plugin = build_path("tests/test_plugin_bringing.so");
  const std::string copy = (fresh_folder() / "copy.so").string();
  std::filesystem::copy_file(plugin, copy);
  for (const char* command : {"info", "registry"}) {
    const Outcome twice = run_weft({command, "--code", plugin, "--code", plugin});
    EXPECT_EQ(twice.code, 2) << command;
    EXPECT_THAT(twice.err, HasSubstr("is given twice")) << command;
    const Outcome both = run_weft({command, "--code", plugin, "--code", copy});
    EXPECT_EQ(both.code, 2) << command;
    EXPECT_THAT(both.err, HasSubstr("two plugins are called test_plugin_bringing")) << command;
  }
}

// Units of a processor that lacks them are in no description anyway.
TEST(Commands, TheEnvironmentSwitchesUnitsOfTheProcessorOff) {
  const auto units = [](const std::vector<std::string>& environment) {
    const Outcome outcome = run_weft({"info", "--json"}, environment);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return parse_json(outcome.out)->as_object().find("devices")->as_list()[0].as_string();
  };
  EXPECT_THAT(units({"WEFT_AMX=0"}), Not(HasSubstr("tiles")));
  EXPECT_EQ(units({"WEFT_AMX=1", "WEFT_DOTS=1"}), units({"WEFT_AMX=", "WEFT_DOTS="}));
  EXPECT_THAT(units({"WEFT_AMX=0", "WEFT_DOTS=0"}), Not(HasSubstr("bf16")));
  EXPECT_THAT(units({"OPENBLAS_CORETYPE=Haswell"}), StartsWith("cpu: OpenBLAS"));
}

TEST(Commands, InfoListsTheDevicesOfThisMachine) {
  const auto facts = parse_json(run_weft({"info", "--json"}).out);
  ASSERT_TRUE(facts && facts->is_object());
  const List& devices = facts->as_object().find("devices")->as_list();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices[0].as_string(), "cpu: " + gemm_description());
  EXPECT_EQ(devices.size() == 1, facts->as_object().find("no_gpu") != nullptr);
}

}  // namespace
}  // namespace weft::testing_tools
