// Loggers of plugins that take their time or fail: rows of the others are written all the same, and
// the run's state is saved.
#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/training/logger.h"
#include "tests/components/training_fixture.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::size_t lines_of(const fs::path& file) {
  std::ifstream stream(file);
  return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(stream), {}, '\n'));
}

struct SlowSettings {
  std::int64_t fails_at = -1;
};
template <class V>
void fields(V& v, SlowSettings& c) {
  v("fails_at", c.fails_at, "the step whose row it throws at");
}

// While a row is told: how many rows the run's own log has.
std::vector<std::size_t>& seen() {
  static std::vector<std::size_t> rows;
  return rows;
}

class Slow final : public LogSession {
 public:
  Slow(std::int64_t fails_at, fs::path output) : fails_at_(fails_at), output_(std::move(output)) {}
  void evaluated(const TrainingInfo& info) override {
    seen().push_back(lines_of(output_ / "log.jsonl"));
    if (info.step == fails_at_) throw std::runtime_error("the tracker does not answer");
  }

 private:
  std::int64_t fails_at_;
  fs::path output_;
};

Logger slow(const SlowSettings& c) {
  return {[c](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    return std::make_unique<Slow>(c.fails_at, setup.output);
  }};
}
const Registration slow_logger{"test.slow.v1", slow, "takes its time"};

class LoggerFailure : public testing_training::TrainingFixture {
 protected:
  void SetUp() override {
    TrainingFixture::SetUp();
    seen().clear();
  }
  // The slow one before a table of its own file.
  Config chained(const std::string& fails_at) const {
    return config(R"(["tok2vec", "ner"])", testing_training::kNer, {},
                  "\n[training.logger]\n@loggers = \"spacy.ChainLogger.v1\"\n"
                  "\n[training.logger.logger1]\n@loggers = \"test.slow.v1\"\nfails_at = " +
                      fails_at +
                      "\n\n[training.logger.logger2]\n@loggers = \"weft.CsvLogger.v1\"\n"
                      "path = \"table.csv\"\n");
  }
};

TEST_F(LoggerFailure, ARowIsInTheRunsLogBeforeAnotherLoggerTakesItsTime) {
  train(chained("-1"), "out");
  EXPECT_THAT(seen(), ElementsAre(1U, 2U, 3U));
  EXPECT_EQ(lines_of(folder_ / "out/log.jsonl"), 3U);
  EXPECT_EQ(lines_of(folder_ / "out/table.csv"), 1U + 3U);
}

TEST_F(LoggerFailure, OneThatThrowsEndsTheRunWithEveryRowWrittenAndTheStateSaved) {
  try {
    train(chained("2"), "out");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("the tracker does not answer"));
  }
  EXPECT_EQ(lines_of(folder_ / "out/log.jsonl"), 2U);
  EXPECT_EQ(lines_of(folder_ / "out/table.csv"), 1U + 2U);
  EXPECT_TRUE(fs::exists(folder_ / "out/model-last/meta.json"));
}

}  // namespace
}  // namespace weft
