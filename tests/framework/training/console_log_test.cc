#include "framework/training/console_log.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/training/chain_log.h"
#include "framework/training/jsonl_log.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ConsoleLogTest : public ::testing::Test {
 protected:
  ~ConsoleLogTest() override { fs::remove(file_); }
  LogSetup setup(bool terminal = false) {
    return {.nlp = nullptr,
            .out = out_,
            .err = err_,
            .err_is_terminal = terminal,
            .max_steps = 100,
            .eval_frequency = 10,
            .loss_names = {"ner"},
            .score_names = {"ents_f", "speed"}};
  }
  static TrainingInfo info() {
    TrainingInfo info;
    info.epoch = 2;
    info.step = 40;
    info.score = 0.5;
    info.losses["ner"] = 3.25;
    info.other_scores.set("ents_f", 0.75);
    info.other_scores.set("speed", 1234.0);
    return info;
  }
  std::string written() const {
    std::ifstream read(file_);
    return {std::istreambuf_iterator<char>(read), {}};
  }

  std::ostringstream out_, err_;
  fs::path file_ = fs::path(::testing::TempDir()) / ("console-" + std::to_string(::getpid()));
};

TEST_F(ConsoleLogTest, ShowsATableAndLeavesTheErrorStreamToTheRun) {
  const auto session =
      console_log({.progress = ProgressTarget::end, .file = {}}).start(setup(true));
  session->evaluated(info());
  session->stepped(41);
  session->finish();
  EXPECT_THAT(out_.str(), HasSubstr("LOSS NER"));
  EXPECT_THAT(out_.str(), HasSubstr("3.25"));
  EXPECT_THAT(out_.str(), HasSubstr("75.00"));
  EXPECT_THAT(err_.str(), IsEmpty());
}

TEST_F(ConsoleLogTest, SaysWhatTheProgressLineShallAimAt) {
  using enum ProgressTarget;
  for (const ProgressTarget target : {unsaid, end, next_evaluation}) {
    const Logger log = console_log({.progress = target, .file = {}});
    EXPECT_EQ(log.start(setup())->progress_target(), target);
    // Of several loggers the first that says something.
    const Logger chain = chain_logs({console_log({.file = {}}), log, console_log({.file = {}})});
    EXPECT_EQ(chain.start(setup())->progress_target(), target);
  }
}

TEST_F(ConsoleLogTest, TheFileHasPerCentsAndATableMayBeLeftOut) {
  const auto session = console_log({.table = false, .file = file_}).start(setup());
  session->evaluated(info());
  session->finish();
  EXPECT_THAT(out_.str(), Not(HasSubstr("LOSS NER")));
  EXPECT_EQ(written(), R"({"epoch": 2, "step": 40, "losses": {"ner": 3.25}, )"
                       R"("scores": {"ents_f": 75.0, "speed": 1234.0}, "score": 0.5})"
                       "\n");
}

TEST_F(ConsoleLogTest, ScoresAndLossesThatAreMissingAreZero) {
  const auto session = console_log({.table = false, .file = file_}).start(setup());
  session->evaluated({});
  EXPECT_THAT(written(), HasSubstr(R"("losses": {"ner": 0.0})"));
  EXPECT_THAT(written(), HasSubstr(R"("ents_f": 0.0)"));
}

TEST_F(ConsoleLogTest, AFileOfSomebodyElseIsLeftAlone) {
  std::ofstream(file_) << "mine\n";
  const auto session = console_log({.file = file_}).start(setup());
  session->evaluated(info());
  EXPECT_EQ(written(), "mine\n");
  EXPECT_THAT(out_.str(), HasSubstr("the log is not saved"));
  EXPECT_TRUE(session->position().is_null());
}

TEST_F(ConsoleLogTest, AFolderThatCannotBeMadeIsAnErrorOfTheSystem) {
  std::ofstream(file_) << "a file\n";
  try {
    console_log({.file = file_ / "folder/log.jsonl"}).start(setup());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_THAT(error.message(), HasSubstr(file_.string()));
  }
}

}  // namespace
}  // namespace weft
