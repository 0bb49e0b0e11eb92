// Commands about configs: what they print, and that what they write can be read again.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/tools/program.h"
#include "tests/tools/shell_line.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ConfigCommandsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "ner.cfg", small_config());
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

TEST_F(ConfigCommandsTest, FillingTwiceChangesNothing) {
  ASSERT_EQ(run_weft({"init", "fill-config", path("ner.cfg"), path("a.cfg")}).code, 0);
  ASSERT_EQ(run_weft({"init", "fill-config", path("a.cfg"), path("b.cfg")}).code, 0);
  EXPECT_EQ(read_text(folder_ / "a.cfg"), read_text(folder_ / "b.cfg"));
  EXPECT_THAT(read_text(folder_ / "a.cfg"), HasSubstr("update_with_oracle_cut_size = 100"));
  EXPECT_THAT(read_text(folder_ / "a.cfg"), HasSubstr("path = ${paths.train}"));
  EXPECT_THAT(read_text(folder_ / "a.cfg"), HasSubstr("ents_f = 1.0"));
}

TEST_F(ConfigCommandsTest, SettingsThatSpacyDoesNotKnowAreWrittenOnlyWhereTheyAreGiven) {
  std::string text = small_config();
  for (const char* reader :
       {"spacy.Corpus.v1\"\ngold_preproc = false\nmax_length = 0", "spacy.JsonlCorpus.v1\""}) {
    const std::string old = "weft.ConllCorpus.v1\"";
    text.replace(text.find(old), old.size(), reader);
  }
  write_text(folder_ / "plain.cfg", text + "\n[system]\nseed = 3\n");
  ASSERT_EQ(run_weft({"init", "fill-config", path("plain.cfg"), path("a.cfg")}).code, 0);
  const std::string filled = read_text(folder_ / "a.cfg");
  EXPECT_THAT(filled, HasSubstr("gpu_allocator = null"));
  EXPECT_THAT(filled, HasSubstr("spacy.JsonlCorpus.v1"));
  for (const char* own : {"on_misaligned", "shuffle_window", "\nmemory", "gpu_memory"}) {
    EXPECT_THAT(filled, Not(HasSubstr(own))) << own;
  }
  std::string given = text;
  given.insert(given.find("max_length = 0"), "on_misaligned = \"expand\"\n");
  given.insert(given.find("max_steps = 40"), "shuffle_window = 0\n");
  write_text(folder_ / "given.cfg", given + "\n[system]\nmemory = \"2GB\"\ngpu_memory = \"8GB\"\n");
  const Outcome kept = run_weft({"init", "fill-config", path("given.cfg"), path("b.cfg")});
  ASSERT_EQ(kept.code, 0) << kept.err;
  for (const char* own : {"on_misaligned = \"expand\"\n", "shuffle_window = 0\n",
                          "\nmemory = \"2GB\"\n", "gpu_memory = \"8GB\"\n"}) {
    EXPECT_THAT(read_text(folder_ / "b.cfg"), HasSubstr(own)) << own;
  }
}

// They may be those of another program that reads the same file.
TEST_F(ConfigCommandsTest, FunctionsInSectionsOfOnesOwnStay) {
  write_text(folder_ / "own.cfg", small_config() +
                                      "\n[mine]\nnote = 1\n\n[mine.thing]\n@mykind = \"foo.v1\"\n\n"
                                      "[mine.other]\n@readers = \"my_reader.v1\"\n");
  for (const char* option : {"--json", "--resolve"}) {
    const Outcome told = run_weft({"debug", "config", path("own.cfg"), option});
    EXPECT_EQ(told.code, 0) << told.err << told.out;
    EXPECT_THAT(told.err + told.out, HasSubstr("my_reader.v1"));
  }
  ASSERT_EQ(run_weft({"init", "fill-config", path("own.cfg"), path("a.cfg")}).code, 0);
  EXPECT_THAT(read_text(folder_ / "a.cfg"), HasSubstr("[mine.thing]\n@mykind = \"foo.v1\"\n"));
  write_text(folder_ / "bad.cfg",
             small_config() + "\n[corpora.third]\n@readers = \"my_reader.v1\"\n");
  EXPECT_NE(run_weft({"debug", "config", path("bad.cfg")}).code, 0);
}

TEST_F(ConfigCommandsTest, AWordThatIsNoOptionOfTheCommandIsTheValue) {
  const Outcome value =
      run_weft({"debug", "config", path("ner.cfg"), "--paths.train", "-x", "--json"});
  const auto config = parse_json(value.out);
  ASSERT_TRUE(config) << value.err;
  EXPECT_THAT(value.out, HasSubstr("\"train\": \"-x\""));
  const Outcome own = run_weft({"debug", "config", path("ner.cfg"), "--paths.train", "-V"});
  EXPECT_THAT(own.err + own.out, HasSubstr("paths.train")) << "-V lists the overrides";
}

TEST_F(ConfigCommandsTest, AConfigComesFromStandardInput) {
  write_text(folder_ / "train.cfg", small_config());
  for (const char* line : {"weft debug config - < train.cfg", "weft init fill-config - < train.cfg",
                           "weft debug diff-config train.cfg --compare-to - < train.cfg"}) {
    const Outcome outcome = run_line(folder_, line);
    EXPECT_EQ(outcome.code, 0) << line << ": " << outcome.err;
  }
  EXPECT_EQ(run_line(folder_, "weft debug config - < train.cfg").out,
            run_line(folder_, "weft debug config train.cfg").out);
}

TEST_F(ConfigCommandsTest, BothDialectsHoldTheSame) {
  ASSERT_EQ(run_weft({"init", "fill-config", path("ner.cfg"), path("a.toml")}).code, 0);
  const Outcome cfg = run_weft({"debug", "config", path("ner.cfg"), "--json"});
  const Outcome toml = run_weft({"debug", "config", path("a.toml"), "--json"});
  ASSERT_EQ(toml.code, 0) << toml.err;
  const auto left = parse_json(cfg.out);
  const auto right = parse_json(toml.out);
  ASSERT_TRUE(left && right);
  EXPECT_TRUE(left->as_object().find("config")->same_value(*right->as_object().find("config")));
}

TEST_F(ConfigCommandsTest, StarterConfigIsComplete) {
  ASSERT_EQ(run_weft({"init", "config", path("new.cfg"), "--lang", "en", "--pipeline", "ner"}).code,
            0);
  EXPECT_EQ(run_weft({"debug", "config", path("new.cfg")}).code, 0);
  EXPECT_THAT(read_text(folder_ / "new.cfg"), HasSubstr("pipeline = [\"tok2vec\", \"ner\"]"));
  const Outcome again = run_weft({"init", "config", path("new.cfg")});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("--force"));
}

TEST_F(ConfigCommandsTest, AllProblemsAreReportedAtOnce) {
  write_text(folder_ / "bad.cfg", small_config("\n[training.optimizer]\n@optimizers = \"Adam.v1\"\n"
                                               "learn_rat = 0.1\nbeta1 = \"high\"\n"));
  const Outcome outcome =
      run_weft({"debug", "config", path("bad.cfg"), "--json", "--training.dropout", "1.5"});
  EXPECT_EQ(outcome.code, 2);
  const auto document = parse_json(outcome.out);
  ASSERT_TRUE(document);
  std::string paths;
  for (const Node& problem : document->as_object().find("problems")->as_list()) {
    paths += problem.as_object().find("path")->as_string() + " ";
  }
  EXPECT_THAT(paths, HasSubstr("training.optimizer.learn_rat"));
  EXPECT_THAT(paths, HasSubstr("training.optimizer.beta1"));
  EXPECT_THAT(paths, HasSubstr("training.dropout"));
}

TEST_F(ConfigCommandsTest, ForeignKeysOfTheSystemAreWarningsAndItsAllocatorIsANote) {
  write_text(folder_ / "system.cfg",
             small_config() + "\n[system]\ngpu_allocator = \"pytorch\"\nfoo = 3\n");
  const Outcome told = run_weft({"debug", "config", path("system.cfg")});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(told.err,
              AllOf(HasSubstr("note: " + path("system.cfg")),
                    HasSubstr("[system] gpu_allocator: GPU memory is managed by weft itself"),
                    HasSubstr("warning: " + path("system.cfg")),
                    HasSubstr("[system] foo: unknown setting")));
  std::string text = small_config();
  text.insert(text.find("max_steps = 40"), "foo = 3\n");
  write_text(folder_ / "training.cfg", text);
  EXPECT_EQ(run_weft({"debug", "config", path("training.cfg")}).code, 2);
}

// A run would read them before its first step.
TEST_F(ConfigCommandsTest, FilesOfInitialisationThatAreMissingAreNamedWithTheirSetting) {
  for (const char* setting : {"vectors", "vocab_data", "init_tok2vec"}) {
    write_text(folder_ / "lacks.cfg",
               small_config(std::string("\n[initialize]\n") + setting + " = \"missing-there\"\n"));
    const Outcome outcome = run_weft({"debug", "config", path("lacks.cfg")});
    EXPECT_EQ(outcome.code, 2) << setting;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("lacks.cfg:"), HasSubstr("missing-there"),
                                   HasSubstr(std::string("[initialize] ") + setting)))
        << outcome.err;
    const Outcome folder = run_weft({"debug", "config", path("ner.cfg"),
                                     std::string("--initialize.") + setting, folder_.string()});
    EXPECT_EQ(folder.code, 2) << setting;
    EXPECT_THAT(folder.err, HasSubstr(std::string("[initialize] ") + setting)) << folder.err;
  }
}

TEST_F(ConfigCommandsTest, ExplainGivesTheWholeHistory) {
  const Outcome outcome = run_weft({"debug", "config", path("ner.cfg"), "--explain",
                                    "training.max_steps", "--training.max_steps", "7"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("training.max_steps = 7"));
  EXPECT_THAT(outcome.out, HasSubstr("command line --training.max_steps"));
  EXPECT_THAT(outcome.out, HasSubstr("replaces 40"));
  EXPECT_THAT(outcome.out, HasSubstr("ner.cfg:"));
  EXPECT_EQ(run_weft({"debug", "config", path("ner.cfg"), "--explain", "training.max_step"}).code,
            2);
  const Outcome both =
      run_weft({"debug", "config", path("ner.cfg"), "--explain", "training.max_steps", "--json"});
  EXPECT_EQ(both.code, 2) << "the option that comes second is not left out in silence";
  EXPECT_THAT(both.err, HasSubstr("it takes no --json"));
}

TEST_F(ConfigCommandsTest, ADefaultCanBeOverridden) {
  const Outcome outcome = run_weft(
      {"debug", "config", path("ner.cfg"), "--training.optimizer.learn_rate", "0.5", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\"learn_rate\": 0.5"));
  EXPECT_THAT(outcome.out, HasSubstr("\"L2\": 0.01"));  // the rest of that section is as before
}

TEST_F(ConfigCommandsTest, TheExampleOfTheUserGuide) {
  const Outcome outcome =
      run_weft({"debug", "config", path("ner.cfg")},
               {"SPACY_CONFIG_OVERRIDES=--system.gpu_allocator pytorch --training.batch_size 128"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("note: SPACY_CONFIG_OVERRIDES  [system] gpu_allocator"));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean training.batcher.size or nlp.batch_size?"));
}

TEST_F(ConfigCommandsTest, ASettingOfTheUserGuideThatIsElsewhereIsNamedInAFileToo) {
  for (const char* size : {"\n[training.batch_size]\n@schedules = \"compounding.v1\"\nstart = 100\n"
                           "stop = 1000\ncompound = 1.001\n",
                           ""}) {
    std::string text = small_config(size);
    if (std::string(size).empty()) {
      text.replace(text.find("[training]\n"), 11, "[training]\nbatch_size = 128\n");
    }
    write_text(folder_ / "guide.cfg", text);
    const Outcome outcome = run_weft({"debug", "config", path("guide.cfg")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err,
                testing::ContainsRegex("guide.cfg:[0-9]+:1  \\[training\\] batch_size"));
    EXPECT_THAT(outcome.err, HasSubstr("did you mean training.batcher.size or nlp.batch_size?"));
  }
}

TEST_F(ConfigCommandsTest, AnOverrideWithoutItsValueIsTheFaultOfTheOverride) {
  const Outcome outcome = run_weft({"debug", "config", path("ner.cfg"), "--paths.train"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("command line --paths.train  [corpora.train] path: "));
  EXPECT_THAT(outcome.err, HasSubstr("an override without a value is true"));
  EXPECT_THAT(outcome.err, testing::Not(HasSubstr("ner.cfg:")));
  const Outcome number = run_weft({"debug", "config", path("ner.cfg"), "--training.dropout"});
  EXPECT_EQ(number.code, 2);
  EXPECT_THAT(number.err, HasSubstr("command line --training.dropout  [training] dropout: "));
  EXPECT_THAT(number.err, HasSubstr("an override without a value is true"));
}

TEST_F(ConfigCommandsTest, AConfigIsNotFilledWithoutThePipelinesThatItTakesComponentsFrom) {
  std::string text = small_config();
  const std::size_t begin = text.find("[components.ner]"), end = text.find("[corpora]");
  text.replace(begin, end - begin, "[components.ner]\nsource = \"nowhere_sm\"\n\n");
  write_text(folder_ / "sourced.cfg", text);
  const Outcome outcome =
      run_weft({"init", "fill-config", path("sourced.cfg"), path("filled.cfg")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("sourced.cfg:"));
  EXPECT_THAT(outcome.err,
              HasSubstr("[components.ner] source: there is no pipeline folder nowhere_sm"));
  EXPECT_FALSE(fs::exists(folder_ / "filled.cfg"));
}

TEST_F(ConfigCommandsTest, DifferencesFromTheDefaults) {
  const Outcome outcome = run_weft({"debug", "diff-config", path("ner.cfg")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("~ training.max_steps = 40  (default 20000)"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("training.dropout")));
}

// Sections of components may stand in another order than the pipeline, as spaCy writes them.
TEST_F(ConfigCommandsTest, OverridesAreThoseOfTheConfigThatIsCompared) {
  const Outcome outcome = run_weft({"debug", "diff-config", path("ner.cfg"), "--compare-to",
                                    path("ner.cfg"), "--training.dropout", "0.25"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("- training.dropout = 0.1"));
  EXPECT_THAT(outcome.out, HasSubstr("+ training.dropout = 0.25"));
}

TEST_F(ConfigCommandsTest, FillingCompletesAPretrainingThatSaysAPart) {
  write_text(folder_ / "part.cfg", read_text(path("ner.cfg")) +
                                       "\n[pretraining]\nmax_epochs = 5\n"
                                       "optimizer = ${training.optimizer}\n");
  const Outcome filled =
      run_weft({"init", "fill-config", path("part.cfg"), path("whole.cfg"), "--pretraining"});
  ASSERT_EQ(filled.code, 0) << filled.err;
  const std::string whole = read_text(folder_ / "whole.cfg");
  EXPECT_THAT(whole, HasSubstr("max_epochs = 5\n"));
  EXPECT_THAT(whole, HasSubstr("optimizer = ${training.optimizer}"));
  EXPECT_THAT(whole, HasSubstr("[pretraining.objective]"));
  // Without the flag too, as the section is there.
  ASSERT_EQ(run_weft({"init", "fill-config", path("part.cfg"), path("other.cfg")}).code, 0);
  EXPECT_EQ(read_text(folder_ / "other.cfg"), whole);
}

TEST_F(ConfigCommandsTest, NoHintNamesASettingThatIsRefusedItself) {
  ASSERT_EQ(run_weft({"init", "config", path("whole.cfg")}).code, 0);
  const Outcome outcome = run_weft(
      {"debug", "config", path("whole.cfg"), "--training.optimizer.@optimizers", "SGD.v1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("beta1: unknown setting"));
  EXPECT_THAT(outcome.err, testing::Not(HasSubstr("did you mean training.optimizer.beta")));
}

TEST_F(ConfigCommandsTest, TheStarterConfigHasTheOrderOfThePipeline) {
  ASSERT_EQ(run_weft({"init", "config", path("a.cfg"), "--pipeline", "tagger,ner"}).code, 0);
  std::string text = read_text(folder_ / "a.cfg");
  const std::size_t tagger = text.find("[components.tagger]"), ner = text.find("[components.ner]");
  const std::size_t end = text.find("[corpora");
  ASSERT_LT(tagger, ner);
  ASSERT_LT(ner, end);
  write_text(folder_ / "b.cfg", text.substr(0, tagger) + text.substr(ner, end - ner) +
                                    text.substr(tagger, ner - tagger) + text.substr(end));
  for (const char* config : {"a.cfg", "b.cfg"}) {
    const Outcome outcome = run_weft({"debug", "diff-config", path(config), "-o", "efficiency"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "") << config;
    EXPECT_THAT(outcome.err, HasSubstr("the configs say the same"));
  }
}

TEST_F(ConfigCommandsTest, RegistryShowsParameters) {
  EXPECT_THAT(run_weft({"registry"}).out, HasSubstr("schedules"));
  const Outcome outcome = run_weft({"registry", "schedules", "compounding.v1", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\"name\": \"start\""));
  const Outcome wrong = run_weft({"registry", "schedules", "compunding.v1"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean compounding.v1?"));
}

TEST(ProgramTest, WrongWordsAreExplained) {
  EXPECT_EQ(run_weft({}).code, 2);
  const Outcome command = run_weft({"trian"});
  EXPECT_EQ(command.code, 2);
  EXPECT_THAT(command.err, HasSubstr("did you mean train?"));
  const Outcome option = run_weft({"train", "x.cfg", "--ouput", "y"});
  EXPECT_EQ(option.code, 2);
  EXPECT_THAT(option.err, HasSubstr("did you mean --output?"));
  const Outcome file = run_weft({"train", "/absent/x.cfg"});
  EXPECT_EQ(file.code, 2);
  EXPECT_THAT(file.err, HasSubstr("/absent/x.cfg"));
  EXPECT_THAT(run_weft({"--version"}).out, testing::StartsWith("weft "));
}

TEST(ProgramTest, HelpFitsAScreenAndEndsWithAnExample) {
  for (const auto& words : {std::vector<std::string>{"--help"},
                            {"train", "--help"},
                            {"evaluate", "--help"},
                            {"apply", "--help"},
                            {"debug", "config", "--help"},
                            {"init", "config", "--help"}}) {
    const Outcome help = run_weft(words);
    EXPECT_EQ(help.code, 0);
    EXPECT_LE(std::count(help.out.begin(), help.out.end(), '\n'), 40) << words.front();
    const auto last = help.out.rfind('\n', help.out.size() - 2);
    EXPECT_THAT(help.out.substr(last + 1), testing::StartsWith("example: weft ")) << words.front();
  }
}

// Every command that reads a corpus says where the name stands that leads nowhere.
TEST_F(ConfigCommandsTest, ACorpusThatIsNotThereIsNamedWithItsPlace) {
  write_text(folder_ / "train.conll", small_corpus(5));
  std::string text = small_config();
  const std::string section = "[training]\n";
  ASSERT_NE(text.find(section), std::string::npos);
  text.insert(text.find(section) + section.size(), "train_corpus = \"corpora.trian\"\n");
  write_text(folder_ / "ner.cfg", text);
  const std::string file = path("train.conll");
  const std::string out = path("out");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"debug", "data", path("ner.cfg")},
                                             {"debug", "model", path("ner.cfg")},
                                             {"init", "labels", path("ner.cfg"), out},
                                             {"init", "nlp", path("ner.cfg"), out},
                                             {"precision", "plan", path("ner.cfg")},
                                             {"train", path("ner.cfg")}}) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"--paths.train", file, "--paths.dev", file});
    const Outcome refused = run_weft(words);
    EXPECT_EQ(refused.code, 2) << command[0] << command[1];
    EXPECT_THAT(refused.err,
                AllOf(HasSubstr("ner.cfg:"), HasSubstr("[training] train_corpus: there is no"),
                      HasSubstr("[corpora.trian]"), HasSubstr("did you mean corpora.train")))
        << command[0] << command[1];
    words.insert(words.end(), {"--training.train_corpus", "nlp"});
    const Outcome other = run_weft(words);
    EXPECT_EQ(other.code, 2) << command[0] << command[1];
    EXPECT_THAT(other.err, HasSubstr("[training] train_corpus: ")) << command[0] << command[1];
  }
}

}  // namespace
}  // namespace weft::testing_tools
