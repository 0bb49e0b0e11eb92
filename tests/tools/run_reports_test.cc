// A run's reports of itself: at its start, at its end, in its folder, and beside other runs.
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/training/run_folder.h"
#include "registry/value/json.h"
#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RunReportsTest : public TrainingFolder {
 protected:
  Object meta_of(const std::string& pipeline) const {
    return parse_json(read_text(folder_ / pipeline / "meta.json"))->as_object();
  }
  double ents_f(const std::string& pipeline) const {
    return meta_of(pipeline).find("performance")->as_object().find("ents_f")->as_float();
  }
  Object last_logged(const std::string& output) const {
    std::string log = read_text(folder_ / output / "log.jsonl");
    log.pop_back();
    return parse_json(log.substr(log.rfind('\n') + 1))->as_object();
  }
};

TEST_F(RunReportsTest, SaysThatNothingIsSavedWithoutAnOutput) {
  const Outcome unsaved = run_weft({"train", path("ner.cfg"), "--training.max_steps", "2"});
  EXPECT_EQ(unsaved.code, 0);
  EXPECT_THAT(unsaved.err, testing::StartsWith("note: nothing is saved; --output DIR"));
  EXPECT_THAT(train("out", {"--training.max_steps", "2"}).err, Not(HasSubstr("nothing is saved")));
}

TEST_F(RunReportsTest, SaysWhyItEnded) {
  EXPECT_THAT(train("steps", {"--training.max_steps", "3"}).err,
              AllOf(HasSubstr("the run ended after step 3, epoch "),
                    HasSubstr(": max_steps = 3 is reached; best score ")));
  EXPECT_THAT(train("epochs", {"--training.max_epochs", "1", "--training.max_steps", "0"}).err,
              HasSubstr(": max_epochs = 1 passes over the data are done"));
  EXPECT_THAT(train("patience",
                    {"--training.max_steps", "0", "--training.patience", "4",
                     "--training.eval_frequency", "2", "--training.optimizer.learn_rate", "0.0"})
                  .err,
              HasSubstr(": no better score in 4 steps (patience)"));
}

TEST_F(RunReportsTest, SaysWhereItGoesOn) {
  ASSERT_EQ(train("out", {"--training.max_steps", "3"}).code, 0);
  const Outcome resumed =
      run_weft({"train", "--resume", "--output", path("out"), "--training.max_steps", "5"});
  EXPECT_EQ(resumed.code, 0);
  EXPECT_THAT(resumed.err,
              HasSubstr("going on from " + path("out/checkpoint") + ": step 4 comes next, epoch "));
}

TEST_F(RunReportsTest, TheLogHasLearningRateDateWordsAndSeconds) {
  ASSERT_EQ(
      train("out", {"--training.max_steps", "20", "--training.optimizer.learn_rate", "0.02"}).code,
      0);
  const Object line = last_logged("out");
  EXPECT_EQ(line.find("learn_rate")->as_float(), 0.02);
  EXPECT_GT(line.find("words")->as_integer(), 0);
  const Object& time = line.find("time")->as_object();
  EXPECT_GT(time.find("seconds")->as_float(), 0.0);
  static const std::regex date(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)");
  EXPECT_TRUE(std::regex_match(time.find("date")->as_string(), date));
}

// 23 steps, evaluated at 0 and 20.
TEST_F(RunReportsTest, TheLastModelHasItsOwnScores) {
  ASSERT_EQ(
      train("out", {"--training.max_steps", "23", "--training.optimizer.learn_rate", "0.02"}).code,
      0);
  const Outcome scored =
      run_weft({"evaluate", path("out/model-last"), path("dev.conll"), "--json"});
  ASSERT_EQ(scored.code, 0) << scored.err;
  const double found = parse_json(scored.out)->as_object().find("ents_f")->as_float();
  EXPECT_DOUBLE_EQ(ents_f("out/model-last"), found);
  // Nobody else knows of it.
  EXPECT_EQ(last_logged("out").find("step")->as_integer(), 20);
  const std::string state = read_text(folder_ / "out/checkpoint/state.json");
  const Object training = parse_json(state.substr(0, state.find('\n')))->as_object();
  const Object& performance = training.find("meta")->as_object().find("performance")->as_object();
  EXPECT_EQ(performance.find("ents_f")->as_float(),
            last_logged("out").find("scores")->as_object().find("ents_f")->as_float());
  EXPECT_EQ(training.find("training")->as_object().find("results")->as_list().size(), 2u);
}

TEST_F(RunReportsTest, InfoShowsARun) {
  ASSERT_EQ(train("out", {"--training.max_steps", "23"}).code, 0);
  const Outcome shown = run_weft({"info", path("out")});
  ASSERT_EQ(shown.code, 0) << shown.err;
  for (const char* part : {"ended: max_steps", "best\n", "last\n", "  step ", "ents_f",
                           "training time", "words per second", "config.cfg", "threads"}) {
    EXPECT_THAT(shown.out, HasSubstr(part));
  }
  const Object facts = parse_json(run_weft({"info", path("out"), "--json"}).out)->as_object();
  EXPECT_EQ(facts.find("steps")->as_integer(), 24);
  EXPECT_EQ(facts.find("last")->as_object().find("step")->as_integer(), 20);
  // A pipeline's card is still one.
  EXPECT_THAT(run_weft({"info", path("out/model-last")}).out, HasSubstr("spacy_version"));
  EXPECT_THAT(run_weft({"info", path("nowhere")}).err, HasSubstr("nowhere"));
}

TEST_F(RunReportsTest, InfoKnowsARunThatDidNotEnd) {
  ASSERT_EQ(train("out", {"--training.max_steps", "2"}).code, 0);
  Object manifest = parse_json(read_text(folder_ / "out/run.json"))->as_object();
  manifest.find("parts")->as_list().back().as_object().erase("ended");
  write_text(folder_ / "out/run.json", to_json(manifest));
  EXPECT_THAT(run_weft({"info", path("out")}).out,
              AllOf(HasSubstr("killed"), HasSubstr("weft train --resume --output " + path("out"))));
  {
    const RunFolder taken(path("out"));
    EXPECT_THAT(run_weft({"info", path("out")}).out,
                AllOf(HasSubstr("running"), Not(HasSubstr("--resume"))));
    EXPECT_THAT(run_weft({"compare", path("out"), path("out")}).out, HasSubstr("running"));
  }
  write_text(folder_ / "out/run.json", "{");
  const Outcome damaged = run_weft({"info", path("out")});
  EXPECT_EQ(damaged.code, 3);
  EXPECT_THAT(damaged.err, HasSubstr("out/run.json"));
}

TEST_F(RunReportsTest, CompareShowsScoresAndSettingsThatDiffer) {
  ASSERT_EQ(train("a", {"--training.max_steps", "20"}).code, 0);
  ASSERT_EQ(train("b", {"--training.max_steps", "20", "--system.seed", "7"}).code, 0);
  ASSERT_EQ(train("c", {"--training.max_steps", "20", "--training.dropout", "0.4"}).code, 0);
  const Outcome compared = run_weft({"compare", path("a"), path("b"), path("c")});
  ASSERT_EQ(compared.code, 0) << compared.err;
  EXPECT_THAT(compared.out, AllOf(HasSubstr("RUN "), HasSubstr("BEST"), HasSubstr("ents_f"),
                                  HasSubstr("training.dropout"), HasSubstr("system.seed"),
                                  HasSubstr("2 runs that differ in seed alone")));
  EXPECT_THAT(compared.out, Not(HasSubstr("patience  ")));
  const Outcome json = run_weft({"compare", path("a"), path("c"), "--json"});
  const Object object = parse_json(json.out)->as_object();
  EXPECT_EQ(to_json(*object.find("settings")), R"({"training.dropout": [0.1, 0.4]})");
}

TEST_F(RunReportsTest, CompareRefusesWhatIsNoRun) {
  ASSERT_EQ(train("a", {"--training.max_steps", "1"}).code, 0);
  EXPECT_EQ(run_weft({"compare", path("a")}).code, 2);
  const Outcome none = run_weft({"compare", path("a"), path("a/model-last")});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("a/model-last is no folder of a run"));
  EXPECT_THAT(run_weft({"compare", path("a"), path("absent")}).err,
              HasSubstr("is no folder of a run: there is nothing of that name"));
  EXPECT_THAT(run_weft({"compare", path("a"), path("")}).err,
              HasSubstr("is no folder of a run: it holds runs, as " + path("a")));
  EXPECT_THAT(run_weft({"info", path("absent")}).err, HasSubstr("there is nothing of that name"));
  EXPECT_THAT(run_weft({"debug", "config", path("a/model-last")}).err,
              HasSubstr("is a folder, not a config file; a config of it is " +
                        path("a/model-last/config.cfg")));
}

}  // namespace
}  // namespace weft::testing_tools
