// A run that is killed at any moment and resumed ends with the bytes of one that was left alone.
// WEFT_KILLS=200 kills more often than the test suite does; WEFT_KILL_SEED chooses other moments.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <random>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/component_runs.h"
#include "tests/tools/interrupted_runs.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class KillTest : public InterruptedRuns {
 protected:
  // Ends the child with the signal after so many seconds, unless it is done before. Gives its code.
  static int end_after(Child& child, double seconds, int signal) {
    child.ends_within(seconds);
    child.send(signal);
    return child.wait();
  }

  // One run that is ended once or twice and resumed to its end; its results are the reference's.
  void check(Reference& reference, std::mt19937& random, int signal, int number) {
    const fs::path work = fresh("run");
    fs::remove(text_of(work));
    std::uniform_real_distribution<double> moment(0.0, reference.seconds);
    static constexpr int kThreads[] = {1, 2, 4};
    std::string told;
    for (int part = 0; part <= number % 3; ++part) {
      const int threads = kThreads[random() % 3];
      const double seconds = std::min(moment(random), reference.seconds);
      const auto start = Clock::now();
      Child child(
          part == 0 ? train(reference.run, threads) : resume_words(work, reference.run, threads),
          work, text_of(work));
      const int code = end_after(child, seconds, signal);
      told += " " + std::to_string(seconds) + "s/" + std::to_string(code);
      ended_ += code == 128 + signal ? 1 : 0;
      // The machine was busier while the reference ran: moments as late as its end come too late.
      if (code == 0) {
        const std::chrono::duration<double> took = Clock::now() - start;
        reference.seconds = std::min(reference.seconds, took.count());
      }
    }
    const int code =
        run_child(resume_words(work, reference.run, kThreads[random() % 3]), work, text_of(work));
    ASSERT_EQ(code, 0) << reference.run.name << told << "\n" << read_text(text_of(work));
    ASSERT_EQ(difference(reference.results, results_of(work)), "")
        << reference.run.name << told << "\n"
        << read_text(text_of(work));
  }

  void end_many(const std::vector<int>& signals) { end_many(signals, references()); }
  void end_many(const std::vector<int>& signals, std::vector<Reference> all) {
    if (HasFailure()) return;
    const int count = number_from("WEFT_KILLS", 20);
    std::mt19937 random(static_cast<unsigned>(number_from("WEFT_KILL_SEED", 1)));
    for (int i = 0; i < count && !HasFatalFailure(); ++i) {
      const auto number = static_cast<std::size_t>(i);
      check(all[number % all.size()], random, signals[number % signals.size()], i);
    }
    std::cout << count << " runs of " << all.size() << " kinds, " << ended_
              << " times ended before their end\n";
    // Moments that all lie outside of the run would test nothing.
    EXPECT_GE(ended_, count / 5);
  }

  int ended_ = 0;
};

TEST_F(KillTest, KilledAtAnyMomentItGoesOnToTheSameBytes) {
  end_many({SIGKILL});
}

TEST_F(KillTest, TerminatedAtAnyMomentItGoesOnToTheSameBytes) {
  end_many({SIGTERM});
}

TEST_F(KillTest, WarnedAtAnyMomentItGoesOnToTheSameBytes) {
  end_many({SIGHUP, SIGUSR1, SIGUSR2});
}

TEST_F(KillTest, EveryComponentGoesOnToTheSameBytes) {
  end_many({SIGKILL, SIGTERM}, references(write_component_runs(folder_)));
}

}  // namespace
}  // namespace weft::testing_tools
