// Settings that remove_config_values names are in no file and no output of any logger: plain,
// nested, part of another value, and overridden.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSecret = "hush7";

class LoggedSecrets : public TrainingFolder {
 protected:
  void SetUp() override {
    TrainingFolder::SetUp();
    const std::string more = R"(
[keys]
list = ["open", "hush7-list"]

[keys.deep]
token = "hush7-deep"

[own]
made = "before/${paths.key}/after"
copied = ${keys.deep}
listed = ["${keys.deep.token}", 1]
)";
    std::string text = read_text(folder_ / "ner.cfg") + more;
    text.replace(text.find("[paths]\n"), 8, "[paths]\nkey = \"hush7-key\"\n");
    write_text(folder_ / "ner.cfg", text);
  }

  // Adds them as a chain, each with its lines.
  void log_to(const std::vector<std::pair<std::string, std::string>>& loggers) const {
    std::string text = "\n[training.logger]\n@loggers = \"spacy.ChainLogger.v1\"\n";
    int number = 0;
    for (const auto& [name, lines] : loggers) {
      text += "\n[training.logger.logger" + std::to_string(++number) + "]\n@loggers = \"" + name +
              "\"\n" + lines;
    }
    write_text(folder_ / "ner.cfg", read_text(folder_ / "ner.cfg") + text);
  }

  // The files below the output that hold the secret, but configs: those of pipelines are whole.
  std::vector<std::string> telling(const std::string& output) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / output)) {
      if (!entry.is_regular_file() || entry.path().filename() == "config.cfg") continue;
      if (read_text(entry.path()).find(kSecret) == std::string::npos) continue;
      names.push_back(fs::relative(entry.path(), folder_ / output).string());
    }
    return names;
  }
  int files_below(const fs::path& folder) const {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / folder)) {
      count += entry.is_regular_file() ? 1 : 0;
    }
    return count;
  }
};

const std::string kRemoved = "remove_config_values = [\"paths.key\", \"keys\"]\n";
const std::string kProject = "project_name = \"names\"\n";

TEST_F(LoggedSecrets, NoLoggerTellsOfThem) {
  log_to({{"spacy.ConsoleLogger.v3", "output_file = \"console.jsonl\"\n"},
          {"weft.JsonlLogger.v1", "path = \"own.jsonl\"\n"},
          {"weft.CsvLogger.v1", "path = \"own.csv\"\n"},
          {"spacy.LookupLogger.v1", "patterns = [\".*\"]\n"},
          {"weft.TensorBoardLogger.v1", kRemoved},
          {"spacy.WandbLogger.v1", kProject + kRemoved},
          {"spacy.WandbLogger.v5",
           kProject + kRemoved + "folder = \"wandb5\"\nlog_custom_stats = [\".*\"]\n"},
          {"spacy.MLflowLogger.v1", kRemoved},
          {"spacy.MLflowLogger.v2",
           kRemoved + "folder = \"mlruns2\"\nlog_custom_stats = [\".*\"]\n"}});
  const std::string steps = "--training.max_steps";
  const Outcome plain = train("plain", {steps, "3"});
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(telling("plain"), testing::IsEmpty());
  EXPECT_THAT(plain.out + plain.err, Not(HasSubstr(kSecret)));
  for (const char* folder :
       {"plain/tensorboard", "plain/wandb", "plain/wandb5", "plain/mlruns", "plain/mlruns2"}) {
    EXPECT_GT(files_below(folder), 0) << folder;
  }
  // Overridden on the command line and in the environment; then by a run that goes on.
  const Outcome other =
      run_weft({"train", path("ner.cfg"), "--output", path("other"), steps, "3", "--paths.key",
                "hush7-line", "--own.made", "${paths.key}/more"},
               {"WEFT_CONFIG_OVERRIDES=--keys.deep.token hush7-env --keys.list '[\"hush7-env\"]'"});
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_THAT(telling("other"), testing::IsEmpty());
  EXPECT_THAT(other.out + other.err, Not(HasSubstr(kSecret)));
  const Outcome resumed = run_weft(
      {"train", "--resume", "--output", path("other"), steps, "5", "--paths.key", "hush7-again"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(telling("other"), testing::IsEmpty());
}

// Otherwise the test above would see nothing.
TEST_F(LoggedSecrets, WithoutTheSettingTheyAreLogged) {
  log_to({{"weft.TensorBoardLogger.v1", ""},
          {"spacy.WandbLogger.v5", kProject},
          {"spacy.MLflowLogger.v2", ""}});
  ASSERT_EQ(train("out", {"--training.max_steps", "1"}).code, 0);
  std::string all;
  for (const std::string& name : telling("out")) all += name + "\n";
  for (const char* part : {"tensorboard/", "wandb/", "mlruns/"}) EXPECT_THAT(all, HasSubstr(part));
}

// One of a chain does not tell of it in the place of another.
TEST_F(LoggedSecrets, OneLoggerKeepsThemFromAll) {
  log_to({{"weft.TensorBoardLogger.v1", ""},
          {"spacy.WandbLogger.v3", kProject + kRemoved},
          {"spacy.MLflowLogger.v2", ""}});
  ASSERT_EQ(train("out", {"--training.max_steps", "1"}).code, 0);
  EXPECT_THAT(telling("out"), testing::IsEmpty());
}

TEST_F(LoggedSecrets, LoggersWithoutACounterpartSayWhatTakesTheirPlace) {
  for (const char* name : {"spacy.ClearMLLogger.v1", "spacy.ClearMLLogger.v2"}) {
    const std::string config = read_text(folder_ / "ner.cfg");
    log_to({{name, kProject + "task_name = \"one\"\n"}});
    const Outcome refused = train("out");
    EXPECT_EQ(refused.code, 2) << name;
    EXPECT_THAT(refused.err, HasSubstr("ner.cfg:"));
    EXPECT_THAT(refused.err, HasSubstr("ClearML takes runs over the network alone"));
    EXPECT_THAT(refused.err, HasSubstr("spacy.MLflowLogger.v2"));
    EXPECT_FALSE(fs::exists(folder_ / "out"));
    write_text(folder_ / "ner.cfg", config);
  }
  log_to({{"spacy.CupyLogger.v1", ""},
          {"spacy.PyTorchLogger.v1", "device = 0\n"},
          {"spacy.LookupLogger.v1", "patterns = [\"losses\", \"^score$\"]\n"}});
  const Outcome run = train("out", {"--training.max_steps", "0", "--training.max_epochs", "1"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("spacy.CupyLogger.v1 tells of the memory of CuPy"));
  EXPECT_THAT(run.err, HasSubstr("spacy.PyTorchLogger.v1 tells of the memory of PyTorch"));
  EXPECT_THAT(run.out, HasSubstr("losses.ner -> "));
  EXPECT_THAT(run.out, HasSubstr("score -> "));
  EXPECT_THAT(run.out, Not(HasSubstr("words -> ")));
}

}  // namespace
}  // namespace weft::testing_tools
