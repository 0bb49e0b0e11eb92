// Outputs that a config names are written below the output of the command line, and nowhere else:
// names of components, files of loggers, and planted folders that a run is to go on in.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string replaced(std::string text, const std::string& old, const std::string& fresh) {
  const std::size_t place = text.find(old);
  if (place == std::string::npos) throw std::runtime_error("there is no " + old);
  return text.replace(place, old.size(), fresh);
}

class ConfigWrites : public TrainingFolder {
 protected:
  void SetUp() override {
    TrainingFolder::SetUp();
    config_ = replaced(read_text(folder_ / "ner.cfg"), "max_steps = 40", "max_steps = 1");
    config_ = replaced(config_, "eval_frequency = 20", "eval_frequency = 1");
    fs::create_directories(folder_ / "victim");
    write_text(folder_ / "victim/notes", "of somebody else\n");
  }

  // Paths and names that lead elsewhere, or that are none.
  std::vector<std::string> bad_names() const {
    const std::string victim = path("victim");
    std::vector<std::string> names = {victim,
                                      victim + "/new",
                                      "/" + victim,
                                      "../victim",
                                      "..",
                                      ".",
                                      "",
                                      "a/b",
                                      "/",
                                      "./ner",
                                      "ner/",
                                      "ner/../../victim",
                                      ".hidden",
                                      "-rf",
                                      "vocab",
                                      "Vocab",
                                      "TOKENIZER",
                                      "tokenizer",
                                      "meta.json",
                                      "config.cfg",
                                      "Meta.JSON",
                                      "a b",
                                      "a\tb",
                                      "ner\\b",
                                      "~",
                                      "a\x01",
                                      "a\x1b[2J",
                                      "a\x7f",
                                      "\xe2\x80\xae"
                                      "ner",
                                      "ner\n",
                                      std::string(300, 'n'),
                                      std::string(5000, '/'),
                                      "C:",
                                      "nul:",
                                      "$HOME",
                                      "a*b",
                                      "ner|x"};
    return names;
  }

  void write_config(const std::string& text) const { write_text(folder_ / "hostile.cfg", text); }

  // With the component called so, inside one JSON object for a key with any characters.
  void write_named(const std::string& name) const {
    const std::string quoted = to_json_string(name);
    const std::string begin = "[components.ner]";
    std::string text = replaced(config_, "pipeline = [\"ner\"]", "pipeline = [" + quoted + "]");
    write_config(
        replaced(text, "[components]\n",
                 "[components]\n" + (name.find_first_of("\n=[") == name.npos && !name.empty()
                                         ? "\n[components." + name + "]\nfactory = \"ner\"\n"
                                         : std::string())));
  }

  void expect_no_file_outside(const std::string& name, const std::vector<std::string>& words) {
    const Tree before = tree_of(folder_);
    const HostileRun run = run_hostile(name, words, folder_);
    expect_ended_well(run);
    EXPECT_EQ(run.code, 2) << name << '\n' << run.err;
    expect_unchanged(before, tree_of(folder_));
  }

  std::string config_;
};

TEST_F(ConfigWrites, NamesOfComponentsStayInsideTheOutput) {
  for (const std::string& name : bad_names()) {
    write_named(name);
    expect_no_file_outside(name, {"train", "hostile.cfg", "--output", "out"});
    expect_no_file_outside(name, {"init", "labels", "hostile.cfg", "labels"});
    expect_no_file_outside(name, {"init", "fill-config", "hostile.cfg", "filled.cfg"});
    expect_no_file_outside(name, {"assemble", "hostile.cfg", "assembled"});
  }
}

TEST_F(ConfigWrites, NamesThatVariablesStandForAreCheckedToo) {
  std::string text = replaced(config_, "pipeline = [\"ner\"]", "pipeline = ${paths.names}");
  write_config(replaced(text, "[paths]\n", "[paths]\nnames = [\"ner\", \"../victim\"]\n"));
  expect_no_file_outside("variable", {"train", "hostile.cfg", "--output", "out"});
}

TEST_F(ConfigWrites, ANameStandsOnceWhateverItsCase) {
  for (const char* names : {R"(["ner", "ner"])", R"(["ner", "NER"])", R"(["ner", "Ner", "ner"])"}) {
    std::string text =
        replaced(config_, "pipeline = [\"ner\"]", std::string("pipeline = ") + names);
    text += "\n[components.NER]\nfactory = \"ner\"\n\n[components.Ner]\nfactory = \"ner\"\n";
    write_config(text);
    expect_no_file_outside(names, {"train", "hostile.cfg", "--output", "out"});
  }
}

TEST_F(ConfigWrites, TheMessageNamesPlaceAndRepair) {
  write_named("my ner");
  const HostileRun run = run_hostile("message", {"train", "hostile.cfg"}, folder_);
  EXPECT_THAT(run.err, HasSubstr("hostile.cfg:7:12  [nlp] pipeline: \"my ner\" is no name"));
  EXPECT_THAT(run.err, HasSubstr("(did you mean my_ner?)"));
}

TEST_F(ConfigWrites, GoodNamesAreTaken) {
  for (const std::string name : {"ner_2", "my-ner", "Entit\xc3\xa4ten", "_x", "2ner"}) {
    write_config(replaced(replaced(config_, "[\"ner\"]", "[" + to_json_string(name) + "]"),
                          "[components.ner]\n", "[components." + name + "]\n"));
    std::string text = read_text(folder_ / "hostile.cfg");
    for (std::size_t at; (at = text.find("[components.ner.")) != text.npos;) {
      text.replace(at, 16, "[components." + name + ".");
    }
    write_config(text);
    const HostileRun run =
        run_hostile(name, {"train", "hostile.cfg", "--output", "out_" + name}, folder_);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(fs::exists(folder_ / ("out_" + name) / "model-last" / name / "model"));
  }
}

// A pipeline's folder whose config was changed: the name would be read from, and written to again.
TEST_F(ConfigWrites, ALoadedPipelineCannotNameOtherFolders) {
  ASSERT_EQ(train("out", {"--training.max_steps", "1"}).code, 0);
  const fs::path config = folder_ / "out/model-last/config.cfg";
  write_text(config,
             replaced(read_text(config), "pipeline = [\"ner\"]", "pipeline = [\"../../victim\"]"));
  expect_no_file_outside("loaded", {"evaluate", "out/model-last", "dev.conll"});
  write_config(replaced(config_, "factory = \"ner\"\n\n[components.ner.model]",
                        "source = \"out/model-best\"\ncomponent = \"../../victim\"\n\n"
                        "[corpora.unused]"));
  expect_no_file_outside("sourced", {"assemble", "hostile.cfg", "assembled"});
}

std::string with_logger(const std::string& config, const std::string& name,
                        const std::string& settings) {
  return config + fmt::format("\n[training.logger]\n@loggers = \"{}\"\n{}\n", name, settings);
}

TEST_F(ConfigWrites, FilesOfLoggersStayInsideTheOutput) {
  std::vector<std::string> files = {path("victim/notes"),
                                    path("victim/new"),
                                    "../victim/notes",
                                    "sub/../../victim/notes",
                                    "..",
                                    ".",
                                    "",
                                    "/",
                                    "sub/",
                                    "run.json",
                                    "log.jsonl",
                                    "LOG.jsonl",
                                    "./log.jsonl",
                                    "config.cfg",
                                    "model-best/meta.json",
                                    "model-last",
                                    "checkpoint/state.json",
                                    "checkpoint-7",
                                    "diverged/x",
                                    "a\x1b[2J",
                                    "a\nb"};
  for (const std::string& file : files) {
    const std::string quoted = to_json_string(file);
    for (const std::string& text :
         {with_logger(config_, "weft.JsonlLogger.v1", "path = " + quoted),
          with_logger(config_, "weft.JsonlLogger.v1", "* = [" + quoted + "]"),
          with_logger(config_, "spacy.ConsoleLogger.v2", "output_file = " + quoted),
          with_logger(config_, "spacy.ConsoleLogger.v3", "output_file = " + quoted)}) {
      write_config(text);
      expect_no_file_outside(file, {"train", "hostile.cfg", "--output", "out"});
    }
  }
}

TEST_F(ConfigWrites, TheCommandLineAllowsMoreButReplacesNothingUnasked) {
  write_config(with_logger(config_, "weft.JsonlLogger.v1", "path = \"own.jsonl\""));
  const std::string notes = path("victim/notes");
  HostileRun run = run_hostile(
      "kept", {"train", "hostile.cfg", "--output", "out", "--training.logger.path", notes},
      folder_);
  expect_refused(run, "exists already; --overwrite replaces it");
  EXPECT_EQ(read_text(notes), "of somebody else\n");
  run = run_hostile(
      "new",
      {"train", "hostile.cfg", "--output", "out2", "--training.logger.path", path("victim/new")},
      folder_);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(read_text(folder_ / "victim/new"), HasSubstr("\"step\": 1"));
  run = run_hostile("relative", {"train", "hostile.cfg", "--output", "out3"}, folder_);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(fs::exists(folder_ / "out3/own.jsonl"));
  EXPECT_FALSE(fs::exists(folder_ / "own.jsonl"));
  const Tree before = tree_of(folder_);
  run = run_hostile("no output", {"train", "hostile.cfg"}, folder_);
  expect_refused(run, "has no --output to lie below");
  expect_unchanged(before, tree_of(folder_));
}

// Two loggers that share a file would cut off each other's lines.
TEST_F(ConfigWrites, TwoLoggersDoNotShareAFile) {
  write_config(
      config_ +
      "\n[training.logger]\n@loggers = \"spacy.ChainLogger.v1\"\n"
      "\n[training.logger.logger1]\n@loggers = \"weft.JsonlLogger.v1\"\npath = \"own\"\n"
      "\n[training.logger.logger2]\n@loggers = \"weft.JsonlLogger.v1\"\npath = \"./own\"\n");
  expect_no_file_outside("shared", {"train", "hostile.cfg", "--output", "out"});
}

// An output folder that somebody prepared: everything that the run writes leads elsewhere.
TEST_F(ConfigWrites, LinksInTheOutputAreNotFollowed) {
  const fs::path notes = folder_ / "victim/notes";
  write_config(with_logger(config_, "weft.JsonlLogger.v1", "path = \"logs/own.jsonl\""));
  const std::vector<std::string> places = {
      "log.jsonl",  "run.json",   "config.cfg", "logs",     "logs/own.jsonl",
      "model-last", "model-best", "checkpoint", "diverged", "checkpoint-1"};
  for (const std::string& place : places) {
    for (const bool hard : {false, true}) {
      fs::remove_all(folder_ / "out");
      fs::create_directories((folder_ / "out" / place).parent_path());
      const bool is_file = place.find('.') != place.npos;
      if (hard && !is_file) continue;
      if (hard) {
        fs::create_hard_link(notes, folder_ / "out" / place);
      } else {
        fs::create_symlink(is_file ? notes : folder_ / "victim", folder_ / "out" / place);
      }
      const Tree before = tree_of(folder_ / "victim");
      for (const char* how : {"--overwrite", "--resume"}) {
        expect_ended_well(run_hostile(
            place, {"train", "hostile.cfg", "--output", "out", how, "--training.max_steps", "2"},
            folder_));
        expect_unchanged(before, tree_of(folder_ / "victim"));
      }
    }
  }
}

// A checkpoint that tells where the log stood, beside a log that is none of that run's.
TEST_F(ConfigWrites, ResumingCutsOnlyTheRunsOwnLog) {
  write_config(with_logger(config_, "weft.JsonlLogger.v1", "path = \"own.jsonl\""));
  const std::vector<std::string> run = {"train", "hostile.cfg", "--output", "out"};
  ASSERT_EQ(run_hostile("first", run, folder_).code, 0);
  const std::string own = read_text(folder_ / "out/own.jsonl");
  for (const std::string& planted :
       {std::string("foreign\n") + own, own.substr(1) + own, std::string(own.size(), 'x') + "more",
        std::string(9999, '\n')}) {
    write_text(folder_ / "out/own.jsonl", planted);
    const HostileRun resumed = run_hostile(
        "resumed", {"train", "--resume", "--output", "out", "--training.max_steps", "2"}, folder_);
    expect_refused(resumed, "is not the log that the run wrote");
    EXPECT_EQ(read_text(folder_ / "out/own.jsonl"), planted);
  }
  write_text(folder_ / "out/own.jsonl", own + "lost");
  ASSERT_EQ(
      run_hostile("good", {"train", "--resume", "--output", "out", "--training.max_steps", "2"},
                  folder_)
          .code,
      0);
  EXPECT_THAT(read_text(folder_ / "out/own.jsonl"), HasSubstr(own + "{\"epoch\""));
}

}  // namespace
}  // namespace weft::testing_tools
