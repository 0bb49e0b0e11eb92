// Runs whose loss grows without ever becoming a NaN, and runs that diverge in their first step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class DivergenceTest : public TrainingFolder {};

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// A rate that is good at first, and then a thousand times too high.
const char* const kSteepSchedule =
    "\n[training.optimizer.learn_rate]\n@schedules = \"constant_then.v1\"\nrate = 0.02\n"
    "steps = 30\nschedule = 50.0\n";

TEST_F(DivergenceTest, AGrowingLossIsToldOnceAndTheRunGoesOn) {
  write_text(folder_ / "ner.cfg", read_text(folder_ / "ner.cfg") + kSteepSchedule);
  const Outcome run = train("out", {"--training.max_steps", "60", "--training.eval_frequency", "5",
                                    "--training.patience", "0"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(count_of(run.err, "the run may be diverging"), 1u) << run.err << run.out;
  EXPECT_THAT(run.err, AllOf(ContainsRegex("warning: in step (35|40|45|50|55|60) the loss of"),
                             HasSubstr("component 'ner'"), HasSubstr("the learning rate is 50")));
  // Every row of the table has the columns of its title.
  const std::size_t width = run.out.find('\n');
  for (std::size_t at = 0; at < run.out.size();) {
    const std::size_t end = run.out.find('\n', at);
    EXPECT_EQ(end - at, width) << run.out;
    at = end + 1;
  }
}

TEST_F(DivergenceTest, AResumedRunWarnsAsTheWholeOneWould) {
  write_text(folder_ / "ner.cfg", read_text(folder_ / "ner.cfg") + kSteepSchedule);
  const std::vector<std::string> more = {"--training.eval_frequency", "5", "--training.patience",
                                         "0"};
  const auto until = [&](const char* steps) {
    std::vector<std::string> words = {"train",    "--resume",  path("ner.cfg"),
                                      "--output", path("out"), "--training.max_steps",
                                      steps};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words).err;
  };
  EXPECT_EQ(count_of(until("30") + until("60") + until("80"), "the run may be diverging"), 1u);
}

TEST_F(DivergenceTest, AGoodRunIsLeftInPeace) {
  const Outcome run = train("out", {"--training.optimizer.learn_rate", "0.02",
                                    "--training.max_steps", "100", "--training.patience", "0"});
  EXPECT_THAT(run.err, Not(HasSubstr("diverging")));
}

TEST_F(DivergenceTest, InTheFirstStepItLeavesSomethingToReplay) {
  const std::string config = read_text(folder_ / "ner.cfg");
  for (const std::string averages : {"true", "false"}) {
    const std::string out = "out-" + averages;
    write_text(folder_ / "ner.cfg",
               config + "use_averages = " + averages +
                   "\n\n[training.optimizer.learn_rate]\n@schedules = \"constant_then.v1\"\n"
                   "rate = 0.001\nsteps = 0\nschedule = 1e39\n");
    const Outcome diverged = train(out);
    EXPECT_EQ(diverged.code, 4) << diverged.err;
    EXPECT_THAT(diverged.err, HasSubstr("training diverged in step 0"));
    EXPECT_TRUE(fs::exists(folder_ / out / "diverged/state.json"));
    const Outcome replayed = run_weft({"debug", "step", path(out)});
    EXPECT_EQ(replayed.code, 0) << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr("step 0, epoch 0"));
    EXPECT_THAT(run_weft({"info", path(out)}).out, HasSubstr("diverged"));
  }
}

}  // namespace
}  // namespace weft::testing_tools
