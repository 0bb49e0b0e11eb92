// Small runs, how they end when they are left alone, and how an interrupted one goes on.
#pragma once

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/small_runs.h"

namespace weft::testing_tools {

inline int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

class InterruptedRuns : public testing::Test {
 protected:
  using Clock = std::chrono::steady_clock;
  using Words = std::vector<std::string>;

  struct Reference {
    SmallRun run;
    std::map<std::string, std::string> results;
    double seconds = 0;
  };

  void SetUp() override { folder_ = quick_folder(); }
  void TearDown() override {
    if (!HasFailure()) std::filesystem::remove_all(folder_);
  }

  std::filesystem::path fresh(const std::string& name) const {
    std::filesystem::remove_all(folder_ / name);
    std::filesystem::create_directories(folder_ / name);
    return folder_ / name;
  }
  std::filesystem::path text_of(const std::filesystem::path& work) const {
    return work.string() + ".txt";
  }

  static Words train(const SmallRun& run, int threads) {
    return {"train", run.config.string(), "--output", "out", "--threads", std::to_string(threads)};
  }
  static Words resume(int threads) {
    return {"train", "--resume", "--output", "out", "--threads", std::to_string(threads)};
  }

  std::vector<Reference> references() { return references(write_small_runs(folder_)); }
  std::vector<Reference> references(const std::vector<SmallRun>& runs) {
    std::vector<Reference> all;
    for (const SmallRun& run : runs) {
      const std::filesystem::path work = fresh("reference-" + run.name);
      const auto start = Clock::now();
      const int code = run_child(train(run, 1), work, text_of(work));
      const std::chrono::duration<double> seconds = Clock::now() - start;
      EXPECT_EQ(code, 0) << run.name << ": " << read_text(text_of(work));
      all.push_back({run, results_of(work), seconds.count()});
    }
    return all;
  }

  // A run that was ended before it wrote anything does not know its config.
  static Words resume_words(const std::filesystem::path& work, const SmallRun& run, int threads) {
    Words words = resume(threads);
    const bool knows = std::filesystem::exists(work / "out/config.cfg") ||
                       std::filesystem::exists(work / "out/checkpoint");
    if (!knows) words.insert(words.begin() + 1, run.config.string());
    return words;
  }

  std::filesystem::path folder_;
};

}  // namespace weft::testing_tools
