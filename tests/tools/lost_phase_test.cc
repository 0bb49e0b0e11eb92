// A rank that is killed or stopped in each phase of training: the other ends with code 75 by its
// deadline, and after a restart the bytes are those of a run that was left alone.
#include <csignal>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/comm/open_engine.h"
#include "tests/folders.h"
#include "tests/tools/interrupted_runs.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::Combine;
using ::testing::HasSubstr;
using ::testing::Values;

const std::string kPlugin = build_path("tests/losing_ranks.so");

struct Place {
  const char* phase;
  int rank;
};

// Rank 0 alone evaluates and saves.
constexpr Place kPlaces[] = {{"init", 0},     {"init", 1},   {"backward", 0}, {"backward", 1},
                             {"reduce", 0},   {"reduce", 1}, {"gather", 0},   {"gather", 1},
                             {"evaluate", 0}, {"save", 0},   {"end", 0},      {"end", 1}};

class LostPhase : public InterruptedRuns,
                  public testing::WithParamInterface<std::tuple<Place, int>> {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_engine("gloo"); !why.empty()) GTEST_SKIP() << why;
    InterruptedRuns::SetUp();
    for (const SmallRun& run : write_small_runs(folder_)) {
      if (run.name == "words") config_ = run.config;
    }
    std::string text = read_text(config_);
    const std::size_t encoder = text.find("@architectures = \"spacy.MaxoutWindowEncoder.v2\"");
    ASSERT_NE(encoder, std::string::npos);
    text.replace(encoder, text.find("\n[", encoder) - encoder,
                 "@architectures = \"losing.Encoder.v1\"\n");
    // While ranks start another deadline counts; later it would be far too long.
    const bool starts = std::string(std::get<Place>(GetParam()).phase) == "init";
    text +=
        "\n[training.logger]\n@loggers = \"losing.Logger.v1\"\n"
        "\n[training.distributed]\n@distributed = \"sync.v1\"\nmin_shards = 2\n"
        "deadline = 3.0\nengine = \"" +
        kPlugin + "\"\nstart_deadline = " + (starts ? "4.0\n" : "600.0\n");
    write_text(config_, text);
  }
  void TearDown() override {
    if (!folder_.empty()) InterruptedRuns::TearDown();
  }

  // Of a run in `folder_`/name, in which the rank of the parameter is lost once.
  int train(const std::string& name, bool loses) const {
    const auto& [place, signal] = GetParam();
    const fs::path work = fresh(name);
    const Words words = {
        "train",  config_.string(), "--output",  "out", "--n-workers",    "2",
        "--code", kPlugin,          "--threads", "1",   "--max-restarts", loses ? "1" : "0"};
    const Words launcher = {"env", std::string("WEFT_LOSE_PHASE=") + (loses ? place.phase : ""),
                            "WEFT_LOSE_RANK=" + std::to_string(place.rank),
                            "WEFT_LOSE_SIGNAL=" + std::to_string(signal),
                            "WEFT_LOSE_MARK=" + (folder_ / (name + ".mark")).string()};
    Child child(words, work, text_of(work), 0, launcher);
    return child.ends_within(100.0) ? child.wait() : -1;
  }

  fs::path config_;
};

TEST_P(LostPhase, IsMadeUpForByARestart) {
  ASSERT_EQ(train("whole", false), 0) << read_text(text_of(folder_ / "whole"));
  ASSERT_EQ(train("lost", true), 0) << read_text(text_of(folder_ / "lost"));
  const std::string told = read_text(text_of(folder_ / "lost"));
  EXPECT_TRUE(fs::exists(folder_ / "lost.mark")) << told;
  EXPECT_THAT(told, HasSubstr("starting the ranks again (1 of 1)"));
  EXPECT_EQ(difference(results_of(folder_ / "whole"), results_of(folder_ / "lost")), "") << told;
}

std::string name_of(const testing::TestParamInfo<LostPhase::ParamType>& info) {
  const auto& [place, signal] = info.param;
  return std::string(signal == SIGKILL ? "killed_" : "stopped_") + place.phase +
         std::to_string(place.rank);
}

INSTANTIATE_TEST_SUITE_P(Each, LostPhase,
                         Combine(testing::ValuesIn(kPlaces), Values(SIGKILL, SIGSTOP)), name_of);

}  // namespace
}  // namespace weft::testing_tools
