#include "framework/training/logs/csv_log.h"

#include <limits>

#include <gmock/gmock.h>

#include "registry/base/error.h"
#include "tests/framework/training/logs/log_fixture.h"

namespace weft {
namespace {

using testing::HasSubstr;

class CsvLogTest : public testing_logs::LogTest {
 protected:
  std::string contents() const { return text_of(output_ / "log.csv"); }
  std::unique_ptr<LogSession> start(const Node* resumed = nullptr) {
    return csv_log(output_ / "log.csv").start(setup(resumed));
  }
};

TEST_F(CsvLogTest, HasARowForEachEvaluation) {
  const auto log = start();
  log->evaluated(info(0, 0.25));
  log->evaluated(info(20, 0.5));
  EXPECT_EQ(contents(),
            "step,score,epoch,words,learn_rate,words_per_second,loss_ner,ents_f,"
            "ents_per_type.B&B.f,speed,seconds\n"
            "0,0.25,1,700,0.25,0.0,3.5,0.25,0.125,1234.5,1.5\n"
            "20,0.5,1,700,0.25,0.0,3.5,0.5,0.25,1234.5,1.5\n");
}

TEST_F(CsvLogTest, NumbersThatAreNoneAndMissingOnesHaveTheirPlace) {
  const auto log = start();
  TrainingInfo first = info(0, std::numeric_limits<double>::quiet_NaN());
  first.learn_rate = -std::numeric_limits<double>::infinity();
  log->evaluated(first);
  TrainingInfo second = info(1, std::numeric_limits<double>::infinity());
  second.other_scores.erase("ents_per_type");
  log->evaluated(second);
  EXPECT_THAT(contents(), HasSubstr("\n0,nan,1,700,-inf,0.0,3.5,nan,nan,1234.5,1.5\n"));
  EXPECT_THAT(contents(), HasSubstr("\n1,inf,1,700,0.25,0.0,3.5,inf,,1234.5,1.5\n"));
  EXPECT_EQ(err_.str(), "");
}

TEST_F(CsvLogTest, AScoreThatComesLaterIsToldOfOnce) {
  const auto log = start();
  log->evaluated(info(0, 0.25));
  for (const std::int64_t step : {20, 40}) {
    TrainingInfo later = info(step, 0.5);
    later.other_scores.set("late", 1.0);
    log->evaluated(later);
  }
  EXPECT_THAT(contents(), testing::Not(HasSubstr("late")));
  EXPECT_THAT(err_.str(), HasSubstr("has no column for late"));
  EXPECT_EQ(err_.str().find("warning"), err_.str().rfind("warning"));
}

// A label of strangers is a name of a column.
TEST_F(CsvLogTest, NamesAreQuotedAndHoldNoControlCharacter) {
  TrainingInfo strange = info(0, 0.25);
  strange.other_scores = {};
  strange.other_scores.set("a,\"b\"", 1.0);
  strange.other_scores.set("x\n\x1b[2J\xff", 2.0);
  start()->evaluated(strange);
  EXPECT_THAT(contents(), HasSubstr(R"(,"a,""b""",x\u{A}\u{1B}[2J\x{FF},seconds)"));
}

TEST_F(CsvLogTest, AResumedRunGoesOnWithoutDoubleRows) {
  Node before, after;
  {
    const auto log = start();
    before = log->position();
    log->evaluated(info(0, 0.25));
    after = log->position();
    log->evaluated(info(20, 0.5));
  }
  const std::string whole = contents();
  start(&after)->evaluated(info(20, 0.5));
  EXPECT_EQ(contents(), whole);
  const auto log = start(&before);
  log->evaluated(info(0, 0.25));
  log->evaluated(info(20, 0.5));
  EXPECT_EQ(contents(), whole);
}

TEST_F(CsvLogTest, PositionsAndFilesOfOthersAreRefused) {
  start()->evaluated(info(0, 0.25));
  EXPECT_THROW(start(), Error);
  const auto log = csv_log(output_ / "other.csv").start(setup());
  log->evaluated(info(0, 0.25));
  Node position = log->position();
  position.as_object().set("columns", 3);
  EXPECT_THROW(csv_log(output_ / "other.csv").start(setup(&position)), Error);
}

}  // namespace
}  // namespace weft
