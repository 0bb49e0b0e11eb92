// Confidences that are fitted to judgements, and their file.
#include "framework/parser/span_calibration.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

// One action of two classes, whose first has the probability `p` at temperature 1.
ActionScores actions_of(double p) {
  return {{static_cast<float>(std::log(p / (1 - p))), 0.0F}, {2}};
}

// `count` entities whose probabilities go evenly from 0.05 to 0.95 and of which the share
// `truth(p)` is right.
std::vector<JudgedEvidence> judged(int count, const std::function<double(double)>& truth) {
  std::vector<JudgedEvidence> entities;
  double owed = 0;  // right ones, by their shares
  for (int i = 0; i < count; ++i) {
    const double p = 0.05 + 0.9 * ((i * 37) % count) / count;
    owed += truth(p);
    const bool is_right = owed >= 1;
    if (is_right) owed -= 1;
    entities.push_back({actions_of(p), is_right});
  }
  return entities;
}

TEST(SpanCalibration, FindsTheProbabilitiesBehindTheJudgements) {
  const auto too_sure = [](double p) {
    const double z = 0.4 * std::log(p / (1 - p)) - 0.5;
    return 1 / (1 + std::exp(-z));
  };
  const SpanCalibration fitted = fit_calibration(judged(4000, too_sure));
  for (const double p : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    EXPECT_NEAR(fitted.confidence(actions_of(p)), too_sure(p), 0.03) << p;
  }
  EXPECT_EQ(fitted.entities, 4000);
  EXPECT_GT(fitted.right, 1000);
}

// Also where the judgements say the opposite: the order of entities is the network's.
TEST(SpanCalibration, TheMoreProbableEntityIsNeverTheLessCertainOne) {
  const SpanCalibration fitted = fit_calibration(judged(400, [](double p) { return 1 - p; }));
  double before = 0;
  for (double p = 0.02; p < 1; p += 0.02) {
    const double confidence = fitted.confidence(actions_of(p));
    EXPECT_GE(confidence, before - 1e-12) << p;
    before = confidence;
  }
}

TEST(SpanCalibration, ActionsOfAnEntityAreMultiplied) {
  ActionScores both = actions_of(0.8);
  const ActionScores second = actions_of(0.5);
  both.scores.insert(both.scores.end(), second.scores.begin(), second.scores.end());
  both.counts.push_back(2);
  EXPECT_NEAR(std::exp(both.log_probability(1)), 0.4, 1e-6);
  EXPECT_NEAR(SpanCalibration().confidence(both), 0.4, 1e-6);
}

TEST(SpanCalibration, ScoresThatAreNoNumbersGiveNoConfidence) {
  EXPECT_EQ(SpanCalibration().confidence({{NAN, 0.0F}, {2}}), 0.0);
}

TEST(SpanCalibration, FewEntitiesAreRefused) {
  EXPECT_THROW(fit_calibration(judged(19, [](double p) { return p; })), Error);
  EXPECT_NO_THROW(fit_calibration(judged(20, [](double p) { return p; })));
}

// All right, or all wrong: the fit ends, with numbers.
TEST(SpanCalibration, OneSidedJudgementsGiveFiniteNumbers) {
  for (const double share : {0.0, 1.0}) {
    const SpanCalibration fitted = fit_calibration(judged(50, [&](double) { return share; }));
    EXPECT_TRUE(std::isfinite(fitted.slope) && std::isfinite(fitted.offset));
    EXPECT_NEAR(fitted.confidence(actions_of(0.5)), share, 0.1);
  }
}

class CalibrationFile : public ::testing::Test {
 protected:
  CalibrationFile() { fs::create_directories(folder_); }
  ~CalibrationFile() override { fs::remove_all(folder_); }
  std::string error_of(const std::string& text) const {
    write_file(folder_ / kCalibrationFile, text);
    try {
      read_calibration(folder_);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_ = fs::path(::testing::TempDir()) / ("calibration." + std::to_string(getpid()));
};

TEST_F(CalibrationFile, GivesTheSameNumbers) {
  EXPECT_FALSE(read_calibration(folder_));
  write_calibration({1.25, 0.75, -0.1, 1000, 800, "dev.conll"}, folder_);
  const auto read = read_calibration(folder_);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->temperature, 1.25);
  EXPECT_EQ(read->slope, 0.75);
  EXPECT_EQ(read->offset, -0.1);
  EXPECT_EQ(read->entities, 1000);
  EXPECT_EQ(read->right, 800);
  EXPECT_EQ(read->data, "dev.conll");
}

TEST_F(CalibrationFile, IntegersMayBeTooLongToCountWith) {
  const std::string rest = R"("temperature": 1, "slope": 1, "offset": 0, "entities": )";
  EXPECT_EQ(error_of(R"({"version": 1, )" + rest + "99999999999999999999}"), "");
  EXPECT_THAT(error_of(R"({"version": 99999999999999999999, )" + rest + "1}"),
              ::testing::HasSubstr("version"));
}

TEST_F(CalibrationFile, NamesWhatIsWrong) {
  using ::testing::HasSubstr;
  EXPECT_THAT(error_of("[]"), HasSubstr("confidence.json"));
  EXPECT_THAT(error_of(R"({"version": 2})"), HasSubstr("version"));
  EXPECT_THAT(error_of(R"({"version": 1, "temperature": "1"})"), HasSubstr("temperature"));
  EXPECT_THAT(error_of(R"({"version": 1, "temperature": 0, "slope": 1, "offset": 0})"),
              HasSubstr("out of range"));
  EXPECT_THAT(error_of(R"({"version": 1, "temperature": 1, "slope": -1, "offset": 0})"),
              HasSubstr("out of range"));
}

}  // namespace
}  // namespace weft
