// Two ranks on two machines between which the network is cut: both end with code 75 and the reason
// within their deadline, and the run goes on from its checkpoint once the network is there again.
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/comm/launch.h"
#include "framework/comm/open_engine.h"
#include "tests/tools/interrupted_runs.h"
#include "tests/tools/linked_namespaces.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr double kDeadline = 2.0;

class CutLink : public InterruptedRuns {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_engine("gloo"); !why.empty()) GTEST_SKIP() << why;
    if (const std::string why = LinkedNamespaces::why_not(); !why.empty()) GTEST_SKIP() << why;
    InterruptedRuns::SetUp();
    link_.emplace();
    for (const SmallRun& run : write_small_runs(folder_)) {
      if (run.name == "words") config_ = run.config;
    }
    // The deadline of the start is that of users: it must not count any more.
    write_text(config_, read_text(config_) +
                            "\n[training.checkpoints]\nevery_steps = 10\n"
                            "\n[training.distributed]\n@distributed = \"sync.v1\"\n"
                            "min_shards = 2\nstart_deadline = 1800.0\ndeadline = " +
                            std::to_string(kDeadline) + "\n");
  }
  void TearDown() override {
    if (!folder_.empty()) InterruptedRuns::TearDown();
  }

  Words words(const Words& more) const {
    Words all = {"train", config_.string(),       "--output", "out", "--threads",
                 "1",     "--training.max_steps", "800"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  fs::path told(int rank) const { return folder_ / ("rank" + std::to_string(rank) + ".txt"); }
  std::unique_ptr<Child> start(int rank, const fs::path& work, const Words& more) const {
    Words launcher = link_->launcher(rank);
    for (const std::string& variable :
         {"RANK=" + std::to_string(rank), std::string("WORLD_SIZE=2"),
          "MASTER_ADDR=" + LinkedNamespaces::address(), std::string("MASTER_PORT=29517")}) {
      launcher.push_back(variable);
    }
    return std::make_unique<Child>(words(more), work, told(rank), 0, launcher);
  }

  std::optional<LinkedNamespaces> link_;
  fs::path config_;
};

TEST_F(CutLink, EndsBothRanksByTheDeadlineAndTheRunGoesOn) {
  const fs::path whole = fresh("whole");
  const fs::path work = fresh("cut");
  const auto ranks = {start(0, work, {}), start(1, work, {})};
  const auto latest = Clock::now() + std::chrono::seconds(60);
  while (!fs::exists(work / "out/checkpoint") && Clock::now() < latest) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_TRUE(fs::exists(work / "out/checkpoint")) << read_text(told(0)) << read_text(told(1));
  link_->cut();
  const auto cut_at = Clock::now();
  int rank = 0;
  for (const auto& child : ranks) {
    // Last words to a rank that cannot be reached take two seconds more.
    ASSERT_TRUE(child->ends_within(kDeadline + 15.0)) << "rank " << rank;
    EXPECT_EQ(child->wait(), 75) << "rank " << rank << read_text(told(rank));
    const std::string text = read_text(told(rank));
    EXPECT_THAT(text, HasSubstr("weft: rank " + std::to_string(rank) + " (" + host_name() + ")"));
    EXPECT_THAT(text, HasSubstr("no answer in 2 seconds"));
    EXPECT_THAT(text, HasSubstr("the network has stopped"));
    ++rank;
  }
  const std::chrono::duration<double> took = Clock::now() - cut_at;
  RecordProperty("seconds_after_the_cut", std::to_string(took.count()));
  std::cout << "both had ended " << took.count() << " s after the cut\n";
  link_->mend();
  const auto again = {start(0, work, {"--resume"}), start(1, work, {"--resume"})};
  for (const auto& child : again) ASSERT_TRUE(child->ends_within(200.0));
  for (const auto& child : again) EXPECT_EQ(child->wait(), 0) << read_text(told(0));
  const Words alone = words({});
  ASSERT_EQ(run_child(alone, whole, folder_ / "whole.txt"), 0) << read_text(folder_ / "whole.txt");
  EXPECT_EQ(difference(results_of(whole), results_of(work)), "");
}

}  // namespace
}  // namespace weft::testing_tools
