// Runs with a rehearsal as a user sees them: killed and resumed they end with the bytes of one that
// was left alone, and a loss beyond max_drop is exit code 6.
#include <csignal>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/small_runs.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RehearsalRuns : public TrainingFolder {
 protected:
  // A trained base, and a config that takes its recognizer over: new data marks another label only.
  void SetUp() override {
    TrainingFolder::SetUp();
    ASSERT_EQ(train("base", {"--training.optimizer.learn_rate", "0.02"}).code, 0);
    fs::rename(folder_ / "train.conll", folder_ / "old.conll");
    std::string text = read_text(folder_ / "old.conll");
    for (const auto& [from, to] :
         {std::pair("\tB-person", "\tO"), std::pair("\tI-person", "\tO"),
          std::pair("\tB-place", "\tO"), std::pair("yesterday\tO", "yesterday\tB-time")}) {
      for (std::size_t at; (at = text.find(from)) != std::string::npos;) {
        text.replace(at, std::string(from).size(), to);
      }
    }
    write_text(folder_ / "train.conll", text);
    std::string config = read_text(folder_ / "ner.cfg");
    const std::size_t begin = config.find("[components.ner]"), end = config.find("[corpora]");
    config.replace(begin, end - begin,
                   "[components.ner]\nsource = \"" + path("base/model-last") + "\"\n\n");
    config += "\n[corpora.old]\n@readers = \"weft.ConllCorpus.v1\"\npath = \"" + path("old.conll") +
              "\"\n\n[training.rehearsal]\ncorpus = \"corpora.old\"\nevery = 2\n";
    write_text(folder_ / "ner.cfg", config);
  }

  std::string difference_of(const std::string& left, const std::string& right) const {
    return difference(results_of(folder_ / left), results_of(folder_ / right));
  }
};

// The tutor is in the checkpoint: the base may be gone by then.
TEST_F(RehearsalRuns, KilledAndResumedTheyEndWithTheSameBytes) {
  const std::vector<std::string> often = {"--training.checkpoints.every_steps", "1"};
  ASSERT_EQ(train("whole", often).code, 0);
  const fs::path told = folder_ / "told.txt";
  int killed = 0;
  for (const int signal : {SIGKILL, SIGTERM}) {
    fs::remove_all(folder_ / "out");
    std::vector<std::string> words = {"train", path("ner.cfg"), "--output", path("out")};
    words.insert(words.end(), often.begin(), often.end());
    Child child(words, folder_, told);
    const fs::path early = folder_ / "out/checkpoint/state.json";
    while (!fs::exists(early) && !child.ends_within(0.002)) {
    }
    child.send(signal);
    killed += child.wait() == 128 + signal ? 1 : 0;
    EXPECT_TRUE(fs::exists(folder_ / "out/checkpoint/tutor/ner/model"));
    fs::rename(folder_ / "base", folder_ / "gone");
    const Outcome resumed = run_weft({"train", "--resume", "--output", path("out")});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_THAT(resumed.out, HasSubstr("OLD LABEL"));
    EXPECT_EQ(difference_of("whole", "out"), "") << signal << read_text(told);
    fs::rename(folder_ / "gone", folder_ / "base");
  }
  EXPECT_GT(killed, 0);
}

TEST_F(RehearsalRuns, ALabelThatLosesTooMuchIsExitCodeSix) {
  const std::vector<std::string> forgetting = {"--training.rehearsal.weight", "0.0",
                                               "--training.rehearsal.max_drop", "5.0"};
  const Outcome forgot = train("out", forgetting);
  EXPECT_EQ(forgot.code, 6) << forgot.out;
  EXPECT_THAT(forgot.err, HasSubstr("old labels lost more points of F than [training.rehearsal] "
                                    "max_drop allows: ents_per_type: p"));
  EXPECT_THAT(forgot.err, HasSubstr(" in model-last"));
  for (const char* saved : {"model-last", "model-best", "checkpoint"}) {
    EXPECT_TRUE(fs::exists(folder_ / "out" / saved)) << saved;
  }
  // A run that is over says the same when it is resumed; with a higher limit it is fine.
  EXPECT_EQ(run_weft({"train", "--resume", "--output", path("out")}).code, 6);
  EXPECT_EQ(run_weft({"train", "--resume", "--output", path("out"), "--training.rehearsal.max_drop",
                      "100.0"})
                .code,
            0);
  EXPECT_EQ(train("kept", {"--training.rehearsal.max_drop", "5.0", "--training.rehearsal.every",
                           "1", "--training.rehearsal.weight", "5.0"})
                .code,
            0);
}

}  // namespace
}  // namespace weft::testing_tools
