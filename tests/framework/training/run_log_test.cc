#include "framework/training/run_log.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace weft {
namespace {

namespace fs = std::filesystem;

class RunLogTest : public ::testing::Test {
 protected:
  ~RunLogTest() override { fs::remove(file_); }
  RunLog read(const std::string& text) const {
    std::ofstream(file_) << text;
    return read_run_log(file_);
  }
  static std::string line(int step, double score) {
    return R"({"epoch": 1, "step": )" + std::to_string(step) + R"(, "score": )" +
           std::to_string(score) + R"(, "scores": {"ents_f": 0.5}, "losses": {"ner": 2.0}, )" +
           R"("words": 70, "time": {"date": "2026-11-23T10:00:00Z", "seconds": 3.5}})" + "\n";
  }

  fs::path file_ = fs::path(::testing::TempDir()) / ("log-" + std::to_string(::getpid()));
};

TEST_F(RunLogTest, FindsTheLastAndTheFirstOfTheBest) {
  const RunLog log = read(line(0, 0.1) + line(20, 0.5) + line(40, 0.5) + line(60, 0.25));
  EXPECT_EQ(log.evaluations, 4);
  EXPECT_EQ(log.best->step, 20);
  EXPECT_EQ(log.last->step, 60);
  EXPECT_EQ(log.last->words, 70);
  EXPECT_EQ(log.last->seconds, 3.5);
  EXPECT_EQ(log.last->date, "2026-11-23T10:00:00Z");
  EXPECT_EQ(log.last->scores.find("ents_f")->as_float(), 0.5);
}

TEST_F(RunLogTest, LinesThatAreNoneAreLeftOut) {
  const RunLog log = read(line(0, 0.1) + "\nnull\n[1]\n{\"step\": 3}\n{\"epoch\": 1, \"st");
  EXPECT_EQ(log.evaluations, 1);
}

TEST_F(RunLogTest, ARunThatLoggedNothingHasAnEmptyOne) {
  EXPECT_EQ(read("").evaluations, 0);
  EXPECT_FALSE(read_run_log("/absent/log.jsonl").best);
}

}  // namespace
}  // namespace weft
