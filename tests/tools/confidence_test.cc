// `weft calibrate` and the options that use its numbers: `apply --min-score`, `evaluate
// --thresholds`.
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/pipeline/score_weights.h"
#include "registry/value/json.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

using testing::HasSubstr;

class ConfidenceTest : public TrainingFolder {
 protected:
  void SetUp() override {
    TrainingFolder::SetUp();
    // Ended early: some entities are wrong, and none is certain.
    const Outcome trained =
        train("out", {"--training.max_steps", "20", "--training.optimizer.learn_rate", "0.004"});
    ASSERT_EQ(trained.code, 0) << trained.err;
    std::string texts;
    for (const char* person : {"Ada Smith", "Grace", "Alan", "Edsger Smith", "Barbara"}) {
      for (const char* place : {"Oslo", "Lima", "Kyoto", "London"}) {
        texts += std::string(person) + " went to " + place + " .\n";
      }
    }
    write_text(folder_ / "texts.txt", texts);
  }

  Outcome calibrate() const {
    return run_weft({"calibrate", path("out/model-last"), path("train.conll")});
  }
  Outcome apply(const std::string& least) const {
    return run_weft({"apply", path("out/model-last"), path("texts.txt"), "--min-score", least});
  }
  Outcome evaluate(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"evaluate", path("out/model-last"), path("dev.conll"),
                                      "--thresholds"};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  // The scores of all entities in lines of JSON.
  static std::vector<double> scores_in(const std::string& lines) {
    std::vector<double> scores;
    std::istringstream stream(lines);
    for (std::string line; std::getline(stream, line);) {
      const auto document = parse_json(line);
      if (!document) throw std::runtime_error("no JSON: " + line);
      for (const Node& ent : document->as_object().find("ents")->as_list()) {
        scores.push_back(number_or_zero(*ent.as_object().find("score")));
      }
    }
    return scores;
  }
};

TEST_F(ConfidenceTest, WithoutACalibrationTheOptionsSayHowToGetOne) {
  for (const Outcome& outcome : {apply("0.5"), evaluate()}) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("`weft calibrate`"));
  }
}

TEST_F(ConfidenceTest, EntitiesBelowTheLeastScoreAreLeftOut) {
  ASSERT_EQ(calibrate().code, 0);
  std::vector<double> all = scores_in(apply("0").out);
  ASSERT_GE(all.size(), 4u);
  std::vector<double> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  const auto median = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  const auto above = std::upper_bound(median, sorted.end(), *median);
  ASSERT_NE(above, sorted.end()) << "all above the median are equal";
  const double least = (*median + *above) / 2;
  std::erase_if(all, [&](double score) { return score < least; });
  EXPECT_EQ(scores_in(apply(to_json(Node(least))).out), all);
  for (const char* wrong : {"1.5", "-0.1", "nan", "half"}) {
    EXPECT_EQ(apply(wrong).code, 2) << wrong;
    EXPECT_THAT(apply(wrong).err, HasSubstr("--min-score is a number from 0 to 1")) << wrong;
  }
}

TEST_F(ConfidenceTest, TheTableOfThresholdsBeginsWithAllEntities) {
  ASSERT_EQ(calibrate().code, 0);
  const Outcome outcome = evaluate({"--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Object scores = parse_json(outcome.out)->as_object();
  const List& rows = scores.find("thresholds")->as_list();
  ASSERT_EQ(rows.size(), 20u);
  const Object& first = rows.front().as_object();
  for (const char* name : {"p", "r", "f"}) {
    EXPECT_EQ(number_or_zero(*first.find(name)),
              number_or_zero(*scores.find(std::string("ents_") + name)));
  }
  std::int64_t before = first.find("entities")->as_integer();
  EXPECT_GT(before, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Object& row = rows[i].as_object();
    EXPECT_DOUBLE_EQ(number_or_zero(*row.find("threshold")), 0.05 * static_cast<double>(i));
    EXPECT_LE(row.find("entities")->as_integer(), before);
    before = row.find("entities")->as_integer();
  }
  EXPECT_LT(before, first.find("entities")->as_integer()) << "none is below 0.95";
  EXPECT_THAT(evaluate().out, HasSubstr("threshold  entities       P       R       F\n"));
}

}  // namespace
}  // namespace weft::testing_tools
