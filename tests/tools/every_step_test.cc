// A run goes on to the same bytes from any of its steps, for every batcher, reader, logger and
// optimizer of the small runs. WEFT_EVERY_STEP=1 takes each step, the test suite some of them.
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/small_runs.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The files by which the end of a run is judged; the numbers of kept checkpoints differ as they
// must.
std::map<std::string, std::string> end_of(const fs::path& output) {
  std::map<std::string, std::string> end;
  for (auto& [name, text] : results_of(output)) {
    if (!name.starts_with("checkpoint")) end[name] = std::move(text);
  }
  end.erase("config.cfg");  // holds how many checkpoints are kept
  return end;
}

class EveryStepTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = quick_folder(); }
  void TearDown() override {
    if (!HasFailure()) fs::remove_all(folder_);
  }

  // Runs with a checkpoint after each step; gives the steps.
  std::vector<int> train(const SmallRun& run, const fs::path& work) {
    fs::create_directories(work);
    const Words words = {"train",
                         run.config.string(),
                         "--output",
                         "out",
                         "--threads",
                         "2",
                         "--training.checkpoints.every_steps",
                         "1",
                         "--training.checkpoints.keep_last",
                         "1000"};
    EXPECT_EQ(run_child(words, work, work.string() + ".txt"), 0) << run.name;
    std::vector<int> steps;
    for (const auto& entry : fs::directory_iterator(work / "out")) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("checkpoint-")) steps.push_back(std::stoi(name.substr(11)));
    }
    std::sort(steps.begin(), steps.end());
    return steps;
  }

  // The run from the checkpoint after `step` updates, in a folder that is as it was then.
  void check(const SmallRun& run, const fs::path& whole, int step, int threads) {
    const fs::path work = folder_ / "part";
    fs::remove_all(work);
    fs::copy(whole, work, fs::copy_options::recursive);
    const std::string from = "out/checkpoint-" + std::to_string(step);
    const Words words = {"train",    "--resume", "--checkpoint", from,
                         "--output", "out",      "--threads",    std::to_string(threads)};
    const fs::path told = work.string() + ".txt";
    fs::remove(told);
    ASSERT_EQ(run_child(words, work, told), 0) << run.name << step << read_text(told);
    EXPECT_EQ(difference(end_of(whole), end_of(work)), "") << run.name << " from step " << step;
  }

  fs::path folder_;
};

TEST_F(EveryStepTest, TheRestOfARunIsTheSame) {
  const bool all = std::getenv("WEFT_EVERY_STEP") != nullptr;
  int kind = 0;
  int checked = 0;
  for (const SmallRun& run : write_small_runs(folder_)) {
    const fs::path whole = folder_ / ("whole-" + run.name);
    const std::vector<int> steps = train(run, whole);
    ASSERT_GE(steps.size(), 10u) << run.name;
    for (const int step : steps) {
      if (!all && step % 9 != kind % 9) continue;
      check(run, whole, step, 1 + checked % 2);
      ++checked;
      if (HasFatalFailure()) return;
    }
    ++kind;
  }
  std::cout << checked << " steps of " << kind << " kinds of runs\n";
  EXPECT_GE(checked, 10);
}

}  // namespace
}  // namespace weft::testing_tools
