#include "framework/training/resume_rules.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

constexpr const char* kConfig = R"([paths]
train = "a"

[nlp]
lang = "en"
batch_size = 1000

[components]

[components.ner]
factory = "ner"

[components.ner.model]
@architectures = "spacy.TransitionBasedParser.v2"
hidden_width = 64

[corpora]

[corpora.train]
@readers = "spacy.Corpus.v1"
path = "a"
max_length = 0

[training]
max_steps = 100
max_epochs = 0
patience = 10
seed = 0
dropout = 0.1
eval_frequency = 200
accumulate_gradient = 1
gpu_allocator = null
frozen_components = []

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.001
use_averages = true

[training.logger]
@loggers = "weft.JsonlLogger.v1"
path = "a.jsonl"

[training.checkpoints]
every_steps = 0

[training.precision]
@precision = "amp.v1"
level = "O0"

[training.batcher]
@batchers = "spacy.batch_by_words.v1"
size = 60
)";

Config config_with(const std::string& old = "", const std::string& fresh = "") {
  std::string text = kConfig;
  if (!old.empty()) text.replace(text.find(old), old.size(), fresh);
  Problems problems;
  Config config = read_cfg(text, "test.cfg", problems);
  EXPECT_TRUE(problems.empty());
  return config;
}

// The paths of what may not change.
std::string refused(const std::string& old, const std::string& fresh) {
  std::string paths;
  for (const Problem& problem : check_resumed_config(config_with(), config_with(old, fresh))) {
    paths += (paths.empty() ? "" : " ") + problem.path;
  }
  return paths;
}

// A line of the config, another value of it, and the path of the setting.
struct Setting {
  const char* line;
  const char* other;
  const char* path;
};

// docs/reliability.md lists them.
constexpr Setting kMayChange[] = {
    {"max_steps = 100", "max_steps = 200", "training.max_steps"},
    {"max_epochs = 0", "max_epochs = 3", "training.max_epochs"},
    {"patience = 10", "patience = 0", "training.patience"},
    {"eval_frequency = 200", "eval_frequency = 100", "training.eval_frequency"},
    {"dropout = 0.1", "dropout = 0.2", "training.dropout"},
    {"accumulate_gradient = 1", "accumulate_gradient = 3", "training.accumulate_gradient"},
    {"gpu_allocator = null", "gpu_allocator = \"x\"", "training.gpu_allocator"},
    {"@loggers = \"weft.JsonlLogger.v1\"", "@loggers = \"x\"", "training.logger.@loggers"},
    {"path = \"a.jsonl\"", "path = \"b.jsonl\"", "training.logger.path"},
    {"every_steps = 0", "every_steps = 7", "training.checkpoints.every_steps"},
    {"level = \"O0\"", "level = \"O1\"", "training.precision.level"},
    {"batch_size = 1000", "batch_size = 10", "nlp.batch_size"},
    {"learn_rate = 0.001", "learn_rate = 0.0001", "training.optimizer.learn_rate"},
    {"path = \"a\"", "path = \"b\"", "corpora.train.path"},
    {"train = \"a\"", "train = \"b\"", "paths.train"},
};

TEST(ResumeRulesTest, EverySettingThatIsListedMayChangeComeAndGo) {
  for (const auto& [line, other, path] : kMayChange) {
    EXPECT_EQ(refused(line, other), "") << path;
    EXPECT_EQ(refused(std::string(line) + "\n", ""), "") << path;
  }
}

// A rule is about a setting and what is below it, not about names that begin like it or end so.
TEST(ResumeRulesTest, NeighboursOfThoseSettingsMayNot) {
  for (const auto& [line, other, path] : kMayChange) {
    const std::string key(path, 0, std::string_view(path).rfind('.'));
    if (key == "paths" || key == "training.optimizer" || key.ends_with("logger") ||
        key.ends_with("checkpoints") || key.ends_with("precision")) {
      continue;  // whole sections are free
    }
    const std::string name = std::string(path).substr(key.size() + 1);
    for (const std::string& neighbour : {name + "_", "x" + name}) {
      EXPECT_EQ(refused(line, std::string(line) + "\n" + neighbour + " = 1"),
                key + "." + neighbour);
    }
  }
}

// The same names elsewhere.
TEST(ResumeRulesTest, ARuleIsAboutOneSectionAlone) {
  EXPECT_EQ(refused("hidden_width = 64", "hidden_width = 64\nbatch_size = 3"),
            "components.ner.model.batch_size");
  EXPECT_EQ(refused("lang = \"en\"", "lang = \"en\"\neval_frequency = 3"), "nlp.eval_frequency");
  EXPECT_EQ(refused("seed = 0", "seed = 0\nbatch_size = 3"), "training.batch_size");
  EXPECT_EQ(refused("hidden_width = 64", "hidden_width = 64\npath = \"b\""),
            "components.ner.model.path");
}

TEST(ResumeRulesTest, WhatShapesModelDataOrOrderMayNot) {
  EXPECT_EQ(refused("hidden_width = 64", "hidden_width = 32"), "components.ner.model.hidden_width");
  EXPECT_EQ(refused("Adam.v1", "SGD.v1"), "training.optimizer.@optimizers");
  EXPECT_EQ(refused("use_averages = true", "use_averages = false"),
            "training.optimizer.use_averages");
  EXPECT_EQ(refused("size = 60", "size = 50"), "training.batcher.size");
  EXPECT_EQ(refused("seed = 0", "seed = 1"), "training.seed");
  EXPECT_EQ(refused("lang = \"en\"", "lang = \"de\""), "nlp.lang");
  EXPECT_EQ(refused("max_length = 0", "max_length = 9"), "corpora.train.max_length");
  EXPECT_EQ(refused("seed = 0\n", ""), "training.seed");
  EXPECT_EQ(refused("frozen_components = []", "frozen_components = [\"ner\"]"),
            "training.frozen_components");
  EXPECT_EQ(refused("max_epochs = 0", "max_epochs = -1"), "training.max_epochs");
}

TEST(ResumeRulesTest, TheMessageNamesBothValuesAndThePlace) {
  const Problems problems =
      check_resumed_config(config_with(), config_with("size = 60", "size = 50"));
  ASSERT_EQ(problems.size(), 1u);
  const std::string text = problems[0].str();
  EXPECT_NE(text.find("test.cfg:53"), std::string::npos) << text;
  EXPECT_NE(text.find("it was 60, now it is 50"), std::string::npos) << text;
}

TEST(ResumeRulesTest, ComponentsFromASavedPipelineAreTheOnesTheRunBegan) {
  const Config sourced = config_with(
      "factory = \"ner\"\n\n[components.ner.model]\n@architectures = "
      "\"spacy.TransitionBasedParser.v2\"\nhidden_width = 64\n",
      "source = \"somewhere\"\n");
  EXPECT_FALSE(check_resumed_config(config_with(), sourced).empty());
  EXPECT_TRUE(
      check_resumed_config(config_with(), with_built_components(config_with(), sourced)).empty());
}

}  // namespace
}  // namespace weft
