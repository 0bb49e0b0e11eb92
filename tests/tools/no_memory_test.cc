// A run that runs out of memory anywhere ends with an error that says so, and goes on from its last
// checkpoint to the bytes of a run that had enough. WEFT_KILLS=200 tries more moments than the test
// suite does; WEFT_KILL_SEED chooses other ones.
#include <cmath>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "registry/value/json.h"
#include "tests/folders.h"
#include "tests/sanitizers.h"
#include "tests/tools/interrupted_runs.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

// Variables of the environment while it lives.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& variables) {
    for (const auto& [name, value] : variables) {
      ::setenv(name.c_str(), value.c_str(), 1);
      names_.insert(name);
    }
  }
  ~Environment() {
    for (const std::string& name : names_) ::unsetenv(name.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::set<std::string> names_;
};

class NoMemoryTest : public InterruptedRuns {
 protected:
  inline static const std::string kLibrary = build_path("tests/failing_allocations.so");

  // How many large allocations a run makes.
  long allocations_of(const SmallRun& run) {
    const fs::path work = fresh("count");
    const fs::path count = work / "count";
    const Environment environment({{"LD_PRELOAD", kLibrary}, {"WEFT_COUNT_FILE", count.string()}});
    EXPECT_EQ(run_child(train(run, 1), work, text_of(work)), 0) << read_text(text_of(work));
    long number = 0;
    std::ifstream(count) >> number;
    return number;
  }

  // A run in which `count` large allocations fail, from number `first` on.
  int run_short_of_memory(const SmallRun& run, const fs::path& work, long first, long count) {
    const Environment environment({{"LD_PRELOAD", kLibrary},
                                   {"WEFT_FAIL_FROM", std::to_string(first)},
                                   {"WEFT_FAIL_COUNT", std::to_string(count)}});
    return run_child(train(run, 1), work, text_of(work));
  }

  void check(const Reference& reference, long first, long count) {
    const fs::path work = fresh("run");
    fs::remove(text_of(work));
    const int code = run_short_of_memory(reference.run, work, first, count);
    const std::string told = reference.run.name + ", " + std::to_string(count) + " from " +
                             std::to_string(first) + "\n" + read_text(text_of(work));
    if (code == 0) return check_survivor(reference, work, count, told);
    ++ended_;
    ASSERT_THAT(code, AnyOf(1, 5)) << told;
    ASSERT_THAT(told, HasSubstr("memory")) << told;
    ASSERT_EQ(run_child(resume_words(work, reference.run, 2), work, text_of(work)), 0)
        << told << read_text(text_of(work));
    ASSERT_EQ(difference(reference.results, results_of(work)), "") << told;
  }

  // Where a single allocation failed, whole shards were run again: the same bytes. Where several
  // did, shards may have been cut in two: the same gradients but for rounding, so the same steps,
  // files and, nearly, losses.
  void check_survivor(const Reference& reference, const fs::path& work, long count,
                      const std::string& told) {
    ++survived_;
    const auto found = results_of(work);
    const bool is_same = difference(reference.results, found) == "";
    exact_ += is_same ? 1 : 0;
    if (count == 1) {
      ASSERT_EQ(difference(reference.results, found), "") << told;
      return;
    }
    std::set<std::string> files, expected_files;
    for (const auto& [name, content] : found) files.insert(name);
    for (const auto& [name, content] : reference.results) expected_files.insert(name);
    ASSERT_EQ(files, expected_files) << told;
    ASSERT_THAT(losses_in(found),
                testing::Pointwise(testing::DoubleNear(1e-2), losses_in(reference.results)))
        << told;
  }

  // Of all lines of the run's log, relative to their size.
  static std::vector<double> losses_in(const std::map<std::string, std::string>& results) {
    std::vector<double> losses;
    const auto log = results.find("out/log.jsonl");
    if (log == results.end()) return losses;
    std::istringstream lines(log->second);
    for (std::string line; std::getline(lines, line);) {
      const auto read = parse_json(line);
      const Node* of_line = read ? read->as_object().find("losses") : nullptr;
      if (of_line == nullptr) continue;
      for (const auto& [name, loss] : of_line->as_object()) {
        losses.push_back(std::log1p(loss.as_float()));
      }
    }
    return losses;
  }

  int ended_ = 0, survived_ = 0, exact_ = 0;
};

TEST_F(NoMemoryTest, WhereverMemoryEndsTheRunGoesOnToTheSameBytes) {
  if (kHasSanitizer) GTEST_SKIP() << "a sanitizer has allocations of its own";
  const std::vector<Reference> all = references();
  if (HasFailure()) return;
  std::mt19937 random(static_cast<unsigned>(number_from("WEFT_KILL_SEED", 1)));
  const int moments = number_from("WEFT_KILLS", 20);
  std::map<std::string, long> allocations;
  for (int i = 0; i < moments && !HasFatalFailure(); ++i) {
    const Reference& reference = all[static_cast<std::size_t>(i) % all.size()];
    long& number = allocations[reference.run.name];
    if (number == 0) number = allocations_of(reference.run);
    ASSERT_GT(number, 100) << reference.run.name;
    // Once, a few times, or from then on.
    static constexpr long kCounts[] = {1, 1000000000, 7};
    check(reference, 1 + static_cast<long>(random() % static_cast<unsigned long>(number)),
          kCounts[i % 3]);
  }
  std::cout << moments << " runs, " << ended_ << " ended, " << survived_ << " went on, " << exact_
            << " of them to the same bytes\n";
  EXPECT_GE(ended_, moments / 4);
}

// A single failure in the passes of a step is survived: the shard is run again by itself. Few
// allocations are of that kind, so moments are tried until some were.
TEST_F(NoMemoryTest, RunsThatGoOnGiveTheBytesOfARunThatHadEnough) {
  if (kHasSanitizer) GTEST_SKIP() << "a sanitizer has allocations of its own";
  const std::vector<Reference> all = references();
  if (HasFailure()) return;
  const Reference& reference = all.front();
  const long number = allocations_of(reference.run);
  std::mt19937 random(7);
  for (int i = 0; i < 120 && survived_ < 2 && !HasFatalFailure(); ++i) {
    check(reference, 1 + static_cast<long>(random() % static_cast<unsigned long>(number)), 1);
  }
  EXPECT_GE(survived_, 2) << "of " << survived_ + ended_ << " runs";
}

}  // namespace
}  // namespace weft::testing_tools
