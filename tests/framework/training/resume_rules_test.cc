#include "framework/training/resume_rules.h"

#include <gtest/gtest.h>

#include "registry/cfg_reader.h"

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

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.001
use_averages = true

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

TEST(ResumeRulesTest, LimitsRatesLogsAndPathsMayChange) {
  EXPECT_EQ(refused("max_steps = 100", "max_steps = 200"), "");
  EXPECT_EQ(refused("max_epochs = 0", "max_epochs = 3"), "");
  EXPECT_EQ(refused("patience = 10", "patience = 0"), "");
  EXPECT_EQ(refused("dropout = 0.1", "dropout = 0.2"), "");
  EXPECT_EQ(refused("learn_rate = 0.001", "learn_rate = 0.0001"), "");
  EXPECT_EQ(refused("path = \"a\"", "path = \"b\""), "");
  EXPECT_EQ(refused("train = \"a\"", "train = \"b\""), "");
  EXPECT_EQ(
      refused("[training.batcher]", "[training.logger]\n@loggers = \"x\"\n\n[training.batcher]"),
      "");
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
  EXPECT_EQ(refused("max_epochs = 0", "max_epochs = -1"), "training.max_epochs");
}

TEST(ResumeRulesTest, TheMessageNamesBothValuesAndThePlace) {
  const Problems problems =
      check_resumed_config(config_with(), config_with("size = 60", "size = 50"));
  ASSERT_EQ(problems.size(), 1u);
  const std::string text = problems[0].str();
  EXPECT_NE(text.find("test.cfg:38"), std::string::npos) << text;
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
