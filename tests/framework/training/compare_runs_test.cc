#include "framework/training/compare_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

RunSummary run(const std::string& folder, const std::string& config, double score) {
  RunSummary run;
  run.folder = folder;
  run.config = Config(parse_json(config)->as_object());
  run.ended = "max_steps";
  run.steps = 41;
  LoggedEvaluation evaluation{.epoch = 1, .step = 40, .score = score, .words = 900, .seconds = 3.0};
  evaluation.scores.set("ents_f", score);
  run.log = {.evaluations = 1, .best = evaluation, .last = evaluation};
  return run;
}

std::string config(int seed, const std::string& dropout = "0.1") {
  return R"({"training": {"seed": )" + std::to_string(seed) + R"(, "dropout": )" + dropout +
         R"(, "score_weights": {"ents_f": 1.0, "ents_per_type": null}}})";
}

TEST(CompareRuns, SettingsThatDifferAreThoseOfOneRunAlone) {
  const std::vector<RunSummary> runs = {run("a", config(1), 0.5),
                                        run("b", R"({"training": {"seed": 1}})", 0.5)};
  const auto differing = differing_settings(runs);
  ASSERT_EQ(differing.size(), 3u);
  EXPECT_EQ(differing[0].path, "training.dropout");
  EXPECT_THAT(differing[0].values, ElementsAre("0.1", ""));
}

TEST(CompareRuns, OfManySettingsTheFirstAreShownAndTheRestCounted) {
  std::string one = "{", other = "{";
  for (int i = 0; i < 212; ++i) {
    const std::string key =
        std::string(i == 0 ? "" : ", ") + "\"k" + std::to_string(1000 + i) + "\": ";
    one += key + "1";
    other += key + "2";
  }
  const std::vector<RunSummary> runs = {run("a", R"({"mine": )" + one + "}}", 0.5),
                                        run("b", R"({"mine": )" + other + "}}", 0.5)};
  ASSERT_EQ(differing_settings(runs).size(), 212u);
  const std::string text = compare_text(runs);
  EXPECT_THAT(text, HasSubstr("mine.k1199"));
  EXPECT_THAT(text, Not(HasSubstr("mine.k1200")));
  EXPECT_THAT(text, HasSubstr("... and 12 settings more; --json has all\n"));
  EXPECT_EQ(compare_object(runs).find("settings")->as_object().size(), 212u);
}

TEST(CompareRuns, RunsThatDifferInSeedAloneHaveAMean) {
  const std::vector<RunSummary> runs = {run("a", config(1), 0.5), run("b", config(2), 0.75),
                                        run("c", config(1, "0.2"), 0.9), run("d", config(3), 1.0)};
  const auto groups = seed_groups(runs);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_THAT(groups[0].runs, ElementsAre(0u, 1u, 3u));
  EXPECT_DOUBLE_EQ(groups[0].mean, 0.75);
  EXPECT_DOUBLE_EQ(groups[0].deviation, 0.25);
  EXPECT_THAT(compare_text(runs), HasSubstr("3 runs that differ in seed alone: best score 0.7500 "
                                            "+- 0.2500 (a, b, d)"));
}

TEST(CompareRuns, ARunOfTheSameSeedSaysNothingMore) {
  const std::vector<RunSummary> runs = {run("a", config(1), 0.5), run("again", config(1), 0.5)};
  EXPECT_TRUE(seed_groups(runs).empty());
  EXPECT_THAT(compare_text(runs), Not(HasSubstr("differ in seed")));
}

TEST(CompareRuns, TheTableHasALineForEachRun) {
  const std::vector<RunSummary> runs = {run("first", config(1), 0.5),
                                        run("second", config(1, "0.2"), 0.625)};
  EXPECT_EQ(compare_text(runs),
            "RUN     BEST    STEP  ents_f  LAST    STEPS  TIME  WORDS/S  ENDED\n"
            "---------------------------------------------------------------------\n"
            "first   0.5000  40    0.5000  0.5000  41     0:03  300      max_steps\n"
            "second  0.6250  40    0.6250  0.6250  41     0:03  300      max_steps\n"
            "\n"
            "SETTING           first  second\n"
            "-------------------------------\n"
            "training.dropout  0.1    0.2\n");
}

TEST(CompareRuns, ARunWithoutAnEvaluationAndHostileNamesKeepTheTable) {
  std::vector<RunSummary> runs = {run("a", config(1), 0.5), run("b\x1b[2J\n", config(1), 0.5)};
  runs[1].log = {};
  const std::string text = compare_text(runs);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("the settings are the same"));
}

TEST(CompareRuns, ProgramsGetTheSame) {
  const std::vector<RunSummary> runs = {run("a", config(1), 0.5), run("b", config(2), 0.75)};
  const Object object = compare_object(runs);
  EXPECT_EQ(object.find("runs")->as_list().size(), 2u);
  EXPECT_EQ(to_json(*object.find("settings")), R"({"training.seed": [1, 2]})");
  EXPECT_EQ(object.find("seeds")->as_list()[0].as_object().find("mean")->as_float(), 0.625);
}

}  // namespace
}  // namespace weft
