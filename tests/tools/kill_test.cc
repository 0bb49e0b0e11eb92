// A run that is killed at any moment and resumed ends with the bytes of one that was left alone.
// WEFT_KILLS=200 kills more often than the test suite does; WEFT_KILL_SEED chooses other moments.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/small_runs.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;
using Words = std::vector<std::string>;

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

class KillTest : public testing::Test {
 protected:
  struct Reference {
    SmallRun run;
    std::map<std::string, std::string> results;
    double seconds = 0;
  };

  void SetUp() override { folder_ = quick_folder(); }
  void TearDown() override {
    if (!HasFailure()) fs::remove_all(folder_);
  }

  fs::path fresh(const std::string& name) const {
    fs::remove_all(folder_ / name);
    fs::create_directories(folder_ / name);
    return folder_ / name;
  }
  fs::path text_of(const fs::path& work) const { return work.string() + ".txt"; }

  static Words train(const SmallRun& run, int threads) {
    return {"train", run.config.string(), "--output", "out", "--threads", std::to_string(threads)};
  }
  static Words resume(int threads) {
    return {"train", "--resume", "--output", "out", "--threads", std::to_string(threads)};
  }

  std::vector<Reference> references() {
    std::vector<Reference> all;
    for (const SmallRun& run : write_small_runs(folder_)) {
      const fs::path work = fresh("reference-" + run.name);
      const auto start = Clock::now();
      const int code = run_child(train(run, 1), work, text_of(work));
      const std::chrono::duration<double> seconds = Clock::now() - start;
      EXPECT_EQ(code, 0) << run.name << ": " << read_text(text_of(work));
      all.push_back({run, results_of(work), seconds.count()});
    }
    return all;
  }

  // Ends the child with the signal after so many seconds, unless it is done before. Gives its code.
  static int end_after(Child& child, double seconds, int signal) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    child.send(signal);
    return child.wait();
  }

  // One run that is ended once or twice and resumed to its end; its results are the reference's.
  void check(const Reference& reference, std::mt19937& random, int signal, int number) {
    const fs::path work = fresh("run");
    fs::remove(text_of(work));
    std::uniform_real_distribution<double> moment(0.0, reference.seconds);
    static constexpr int kThreads[] = {1, 2, 4};
    std::string told;
    for (int part = 0; part <= number % 3; ++part) {
      const int threads = kThreads[random() % 3];
      const double seconds = moment(random);
      Child child(
          part == 0 ? train(reference.run, threads) : resume_words(work, reference.run, threads),
          work, text_of(work));
      const int code = end_after(child, seconds, signal);
      told += " " + std::to_string(seconds) + "s/" + std::to_string(code);
      ended_ += code == 128 + signal ? 1 : 0;
    }
    const int code =
        run_child(resume_words(work, reference.run, kThreads[random() % 3]), work, text_of(work));
    ASSERT_EQ(code, 0) << reference.run.name << told << "\n" << read_text(text_of(work));
    ASSERT_EQ(difference(reference.results, results_of(work)), "")
        << reference.run.name << told << "\n"
        << read_text(text_of(work));
  }

  // A run that was ended before it wrote anything does not know its config.
  static Words resume_words(const fs::path& work, const SmallRun& run, int threads) {
    Words words = resume(threads);
    const bool knows = fs::exists(work / "out/config.cfg") || fs::exists(work / "out/checkpoint");
    if (!knows) words.insert(words.begin() + 1, run.config.string());
    return words;
  }

  void end_many(int signal) {
    const std::vector<Reference> all = references();
    if (HasFailure()) return;
    const int count = number_from("WEFT_KILLS", 20);
    std::mt19937 random(static_cast<unsigned>(number_from("WEFT_KILL_SEED", 1)));
    for (int i = 0; i < count && !HasFatalFailure(); ++i) {
      check(all[static_cast<std::size_t>(i) % all.size()], random, signal, i);
    }
    std::cout << count << " runs of " << all.size() << " kinds, " << ended_
              << " times ended before their end\n";
    // Moments that all lie outside of the run would test nothing.
    EXPECT_GE(ended_, count / 3);
  }

  fs::path folder_;
  int ended_ = 0;
};

TEST_F(KillTest, KilledAtAnyMomentItGoesOnToTheSameBytes) {
  end_many(SIGKILL);
}

TEST_F(KillTest, TerminatedAtAnyMomentItGoesOnToTheSameBytes) {
  end_many(SIGTERM);
}

}  // namespace
}  // namespace weft::testing_tools
