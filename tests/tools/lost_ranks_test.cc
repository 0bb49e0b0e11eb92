// Ranks that are killed or stopped at any moment: the run ends with code 75 within its deadline, or
// goes on to the bytes of a run that was left alone. WEFT_KILLS=200 does it more often.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/comm/open_engine.h"
#include "tests/tools/interrupted_runs.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class LostRanksTest : public InterruptedRuns {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_engine("gloo"); !why.empty()) GTEST_SKIP() << why;
    InterruptedRuns::SetUp();
    for (const SmallRun& run : write_small_runs(folder_)) {
      if (run.name == "words") run_ = run;
    }
    std::ofstream(run_.config, std::ios::app)
        << "\n[training.distributed]\n@distributed = \"sync.v1\"\nmin_shards = 2\ndeadline = 2.0\n"
           "start_deadline = 3.0\n";
    const auto start = Clock::now();
    const fs::path work = fresh("reference");
    ASSERT_EQ(run_child(words("0"), work, text_of(work)), 0) << read_text(text_of(work));
    seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    expected_ = results_of(work);
  }
  void TearDown() override {
    if (!folder_.empty()) InterruptedRuns::TearDown();
  }

  Words words(const std::string& restarts) const {
    return {"train", run_.config.string(), "--output", "out", "--n-workers", "2", "--threads",
            "1",     "--max-restarts",     restarts};
  }

  // From now on runs are by another strategy.
  void train_by(const std::string& strategy) const {
    std::string text = read_text(run_.config);
    const std::string before = "sync.v1";
    text.replace(text.find(before), before.size(), strategy);
    std::ofstream(run_.config) << text;
  }

  // The process of that rank; 0 where it is not there (any longer).
  static pid_t process_of_rank(const Child& child, std::size_t rank) {
    const std::string pid = std::to_string(child.pid());
    std::ifstream stream("/proc/" + pid + "/task/" + pid + "/children");
    std::vector<pid_t> all;
    for (pid_t one = 0; stream >> one;) all.push_back(one);
    return rank < all.size() ? all[rank] : 0;
  }

  // Whether the rank was there to get it.
  static bool hit(const Child& child, std::size_t rank, int signal, double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    const pid_t process = process_of_rank(child, rank);
    return process > 0 && ::kill(process, signal) == 0;
  }

  // A run that does not end by itself: a moment after its first evaluation never comes too late.
  Words endless() const {
    Words all = words("0");
    all.insert(all.end(), {"--training.max_steps", "1000000", "--training.patience", "0"});
    return all;
  }

  // Whether all ranks get as far as the end of the first evaluation.
  static bool trains(const fs::path& work) {
    const auto end = Clock::now() + std::chrono::seconds(60);
    while (Clock::now() < end) {
      if (fs::exists(work / "out/log.jsonl") && !fs::is_empty(work / "out/log.jsonl")) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  SmallRun run_;
  double seconds_ = 0;
  std::map<std::string, std::string> expected_;
};

TEST_F(LostRanksTest, AKilledRankEndsTheRunWithItsNumber) {
  const fs::path work = fresh("killed");
  Child child(endless(), work, text_of(work));
  ASSERT_TRUE(trains(work)) << read_text(text_of(work));
  ASSERT_TRUE(hit(child, 1, SIGKILL, 0.1));
  ASSERT_TRUE(child.ends_within(20.0));
  EXPECT_EQ(child.wait(), 75) << read_text(text_of(work));
  EXPECT_THAT(read_text(text_of(work)), HasSubstr("was ended by signal 9"));
}

// Before the first step nothing of the new run is there, and all of an older one.
TEST_F(LostRanksTest, ARestartNeverGoesOnWithAnOlderRun) {
  const fs::path work = fresh("older");
  Words older = words("0");
  older.insert(older.end(), {"--training.dropout", "0.5"});
  ASSERT_EQ(run_child(older, work, text_of(work)), 0) << read_text(text_of(work));
  Words newer = words("1");
  newer.emplace_back("--overwrite");
  Child child(newer, work, text_of(work));
  while (process_of_rank(child, 1) == 0) std::this_thread::yield();
  ASSERT_TRUE(hit(child, 1, SIGKILL, 0.0));
  ASSERT_TRUE(child.ends_within(60.0));
  EXPECT_EQ(child.wait(), 0) << read_text(text_of(work));
  EXPECT_THAT(read_text(text_of(work)), HasSubstr("starting the ranks again"));
  EXPECT_EQ(difference(expected_, results_of(work)), "") << read_text(text_of(work));
}

// From the second attempt on the checkpoint is the run's own, not the one that --checkpoint names.
TEST_F(LostRanksTest, ARestartGoesOnWithTheRunThatWentOnElsewhere) {
  const fs::path work = fresh("elsewhere");
  Words part = words("0");
  part.insert(part.end(), {"--training.max_steps", "7"});
  ASSERT_EQ(run_child(part, work, text_of(work)), 0) << read_text(text_of(work));
  fs::rename(work / "out", work / "old");
  Words resumed = words("1");
  resumed.insert(resumed.end(), {"--resume", "--checkpoint", "old/checkpoint"});
  Child child(resumed, work, text_of(work));
  ASSERT_TRUE(trains(work)) << read_text(text_of(work));
  const bool was_hit = hit(child, 1, SIGKILL, 0.0);
  ASSERT_TRUE(child.ends_within(60.0));
  EXPECT_EQ(child.wait(), 0) << read_text(text_of(work));
  EXPECT_EQ(read_text(text_of(work)).find("starting the ranks again") != std::string::npos,
            was_hit);
  fs::remove_all(work / "old");
  EXPECT_EQ(difference(expected_, results_of(work)), "") << read_text(text_of(work));
}

// The rank that stands still cannot save; the program ends all the same, and is not started again.
TEST_F(LostRanksTest, ASignalEndsARunWhoseRankIsLost) {
  const fs::path work = fresh("signal");
  Words all = endless();
  *std::find(all.begin(), all.end(), "0") = "3";  // restarts
  Child child(all, work, text_of(work));
  ASSERT_TRUE(trains(work)) << read_text(text_of(work));
  ASSERT_TRUE(hit(child, 1, SIGSTOP, 0.1));
  child.send(SIGTERM);
  ASSERT_TRUE(child.ends_within(30.0)) << read_text(text_of(work));
  EXPECT_EQ(child.wait(), 128 + SIGTERM) << read_text(text_of(work));
  EXPECT_THAT(read_text(text_of(work)), HasSubstr("SIGTERM came while a rank was lost"));
}

TEST_F(LostRanksTest, TheWatcherTakesItsRanksWithIt) {
  const fs::path work = fresh("watcher");
  Child child(endless(), work, text_of(work));
  ASSERT_TRUE(trains(work)) << read_text(text_of(work));
  const pid_t ranks[] = {process_of_rank(child, 0), process_of_rank(child, 1)};
  ASSERT_GT(ranks[1], 0);
  child.send(SIGKILL);
  child.wait();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  for (const pid_t rank : ranks) {
    const bool is_there = rank > 0 && fs::exists("/proc/" + std::to_string(rank) + "/exe");
    EXPECT_FALSE(is_there) << rank;
  }
}

// Any rank, at any moment: while data is read, in passes, exchanges, evaluations and saves.
TEST_F(LostRanksTest, AfterRestartsTheBytesAreThoseOfARunThatWasLeftAlone) {
  const int count = number_from("WEFT_KILLS", 12);
  std::mt19937 random(static_cast<unsigned>(number_from("WEFT_KILL_SEED", 1)));
  std::uniform_real_distribution<double> moment(0.0, seconds_);
  int hits = 0;
  double longest = seconds_;
  for (int i = 0; i < count && !HasFatalFailure(); ++i) {
    const fs::path work = fresh("run");
    fs::remove(text_of(work));
    Child child(words("3"), work, text_of(work));
    const double at = std::min(moment(random), longest);
    const auto start = Clock::now();
    // A stopped one is noticed by the deadline alone.
    const int signal = i % 4 == 3 ? SIGSTOP : SIGKILL;
    const std::size_t rank = random() % 2;
    if (child.ends_within(at)) {
      // The machine was busier while the reference ran: moments as late as its end come too late.
      longest = std::chrono::duration<double>(Clock::now() - start).count();
    } else {
      hits += hit(child, rank, signal, 0.0) ? 1 : 0;
    }
    ASSERT_TRUE(child.ends_within(60.0)) << at << " s, signal " << signal;
    ASSERT_EQ(child.wait(), 0) << at << " s, signal " << signal << "\n" << read_text(text_of(work));
    ASSERT_EQ(difference(expected_, results_of(work)), "") << at << " s, signal " << signal << "\n"
                                                           << read_text(text_of(work));
  }
  std::cout << count << " runs, in " << hits << " of them a rank was lost\n";
  EXPECT_GE(hits, count / 6);
}

TEST_F(LostRanksTest, AnInterruptedRunSavesAndGoesOn) {
  const fs::path work = fresh("interrupted");
  Child child(words("0"), work, text_of(work));
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds_ / 2));
  child.send(SIGTERM);
  ASSERT_TRUE(child.ends_within(20.0));
  const int code = child.wait();
  EXPECT_TRUE(code == 128 + SIGTERM || code == 0) << code << read_text(text_of(work));
  Words resume = resume_words(work, run_, 1);
  ASSERT_EQ(run_child(resume, work, text_of(work)), 0) << read_text(text_of(work));
  EXPECT_EQ(difference(expected_, results_of(work)), "");
}

// Ranks that do not wait for each other notice a lost one all the same: at once, or after the
// deadline of two seconds, two more to tell the others, and ten until the watcher kills one that
// hangs.
TEST_F(LostRanksTest, ApartRanksEndWhereOneIsLost) {
  for (const std::string strategy : {"async.v1", "local.v1"}) {
    fs::copy_file(run_.config, folder_ / "kept.cfg", fs::copy_options::overwrite_existing);
    train_by(strategy);
    for (const int signal : {SIGKILL, SIGSTOP}) {
      for (const std::size_t rank : {0, 1}) {
        const fs::path work = fresh("lost");
        Child child(endless(), work, text_of(work));
        ASSERT_TRUE(trains(work)) << strategy << "\n" << read_text(text_of(work));
        ASSERT_TRUE(hit(child, rank, signal, 0.1)) << strategy;
        ASSERT_TRUE(child.ends_within(20.0)) << strategy << " " << signal << " " << rank;
        EXPECT_EQ(child.wait(), 75) << strategy << " " << signal << " " << rank << "\n"
                                    << read_text(text_of(work));
      }
    }
    fs::copy_file(folder_ / "kept.cfg", run_.config, fs::copy_options::overwrite_existing);
  }
}

// The bytes are others every time; that it comes to its end is what counts.
TEST_F(LostRanksTest, ApartRanksGoOnAfterRestartsAndInterruptions) {
  for (const std::string strategy : {"async.v1", "local.v1"}) {
    fs::copy_file(run_.config, folder_ / "kept.cfg", fs::copy_options::overwrite_existing);
    train_by(strategy);
    {
      const fs::path work = fresh("restarted");
      Child child(words("3"), work, text_of(work));
      hit(child, 1, SIGKILL, 0.7 * seconds_);
      ASSERT_TRUE(child.ends_within(60.0)) << strategy;
      EXPECT_EQ(child.wait(), 0) << strategy << read_text(text_of(work));
    }
    const fs::path work = fresh("interrupted");
    Child child(words("0"), work, text_of(work));
    std::this_thread::sleep_for(std::chrono::duration<double>(0.7 * seconds_));
    child.send(SIGTERM);
    ASSERT_TRUE(child.ends_within(20.0)) << strategy;
    const int code = child.wait();
    EXPECT_TRUE(code == 128 + SIGTERM || code == 0) << code << read_text(text_of(work));
    Words resumed = resume_words(work, run_, 1);
    resumed.insert(resumed.end(), {"--n-workers", "2"});
    ASSERT_EQ(run_child(resumed, work, text_of(work)), 0) << read_text(text_of(work));
    fs::copy_file(folder_ / "kept.cfg", run_.config, fs::copy_options::overwrite_existing);
  }
}

}  // namespace
}  // namespace weft::testing_tools
