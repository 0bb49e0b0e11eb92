#include "registry/overrides/command_overrides.h"

#include <gtest/gtest.h>

#include "registry/filling/fill.h"
#include "tests/registry/sample.h"

namespace weft {
namespace {

using sample::catalogue;
using sample::read;
using sample::schemas;
using sample::shown;

constexpr std::string_view kConfig = R"(
[system]
gpu_allocator = null
seed = 0

[nlp]
lang = "en"
batch_size = 1000

[components]

[components.ner]
factory = "tagger"

[components.ner.model]
@sample_layers = "dense.v1"
width = 4

[training]
train_corpus = "corpora.train"

[training.batcher]
discard = false

[training.batcher.size]
@sample_rates = "warm.v1"
peak = 100
)";

Config apply(const std::vector<std::string>& words, const std::string& environment,
             Problems& problems) {
  const Overrides overrides =
      collect_overrides(words, {{"SPACY_CONFIG_OVERRIDES", environment}}, problems);
  Config config = read(kConfig, false);
  const auto complete = [](const Config& incomplete, bool all) {
    Problems unused;
    return fill(incomplete, catalogue(), schemas(), unused,
                {.validate = false, .all_defaults = all});
  };
  apply_command_overrides(config, overrides, complete, problems);
  return config;
}

std::string refusal(const std::string& name) {
  Problems problems;
  apply({"--" + name, "1"}, "", problems);
  return problems.empty() ? "" : problems.front().suggestion;
}

TEST(CommandOverrides, TheUserGuidesExample) {
  Problems problems;
  const Config config =
      apply({}, "--system.gpu_allocator pytorch --training.batch_size 128", problems);
  EXPECT_EQ(shown(problems),
            "SPACY_CONFIG_OVERRIDES  [training] batch_size: cannot be overridden: there is no such "
            "setting "
            "(did you mean training.batcher.size or nlp.batch_size?)\n");
  EXPECT_EQ(config.find("system.gpu_allocator")->as_string(), "pytorch");
  Problems notes;
  fill(config, catalogue(), schemas(), notes);
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes[0].kind, ProblemKind::ignored);
  EXPECT_EQ(notes[0].severity, Severity::note);
  EXPECT_EQ(notes[0].path, "system.gpu_allocator");
}

TEST(CommandOverrides, DefaultsCanBeOverridden) {
  Problems problems;
  const Config config = apply({"--training.patience", "3", "--training.optimizer.beta", "0.5",
                               "--components.ner.seed", "7"},
                              "", problems);
  EXPECT_EQ(shown(problems), "");
  EXPECT_EQ(config.find("training.patience")->as_integer(), 3);
  EXPECT_EQ(config.find("training.patience")->replaced->origin.str(), "default of [training]");
  EXPECT_EQ(config.find("training.dropout"), nullptr) << "what is not overridden stays as it was";
  EXPECT_EQ(config.find("training.optimizer.beta")->as_float(), 0.5);
  EXPECT_EQ(config.find("components.ner.seed")->as_integer(), 7);
}

TEST(CommandOverrides, ANewFunctionBringsItsSettings) {
  Problems problems;
  const Config config = apply({"--training.optimizer.learn_rate", "0.5",
                               "--training.optimizer.@sample_optimizers", "plain.v1"},
                              "", problems);
  EXPECT_EQ(shown(problems), "");
  EXPECT_EQ(config.find("training.optimizer.learn_rate")->as_float(), 0.5);
}

TEST(CommandOverrides, ASectionThatIsReplacedBringsItsSettingsForThoseBehindIt) {
  const std::string object = "{\"@sample_optimizers\": \"plain.v1\"}";
  Problems problems;
  const Config config = apply(
      {"--training.optimizer", object, "--training.optimizer.learn_rate", "0.5"}, "", problems);
  EXPECT_EQ(shown(problems), "");
  EXPECT_EQ(config.find("training.optimizer.learn_rate")->as_float(), 0.5);
  const Config other = apply(
      {"--training.optimizer.learn_rate", "0.5", "--training.optimizer", object}, "", problems);
  EXPECT_EQ(shown(problems), "");
  EXPECT_EQ(other.find("training.optimizer.learn_rate"), nullptr) << "the later one wins";
}

TEST(CommandOverrides, AFunctionThatOnlyFillingNamesLeavesNoArgumentsBehind) {
  Problems problems;
  const Config config =
      apply({"--training.optimizer.@sample_optimizers", "plain.v1"}, "", problems);
  EXPECT_EQ(shown(problems), "");
  EXPECT_EQ(config.find("training.optimizer")->as_object().size(), 1u);
}

TEST(CommandOverrides, AValueInPlaceOfASectionTakesItsSettingsAway) {
  Problems problems;
  apply({"--training.optimizer", "null", "--training.optimizer.beta", "0.5"}, "", problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "training.optimizer.beta");
}

TEST(CommandOverrides, NamesThatMayHaveBeenMeant) {
  EXPECT_EQ(refusal("training.dropuot"), "training.dropout");
  EXPECT_EQ(refusal("trainin.dropout"), "training.dropout");
  EXPECT_EQ(refusal("components.ner.model.widht"), "components.ner.model.width");
  EXPECT_EQ(refusal("training.width"), "components.ner.model.width");
  EXPECT_EQ(refusal("nonsense.entirely"), "");
}

}  // namespace
}  // namespace weft
