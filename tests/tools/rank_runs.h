// Runs of `weft train` on several ranks of this machine, for tests.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/comm/open_engine.h"
#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/small_runs.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {

using Words = std::vector<std::string>;

// The folder of the configs of this checkout, with a slash at the end.
extern const std::string kConfigs;

inline Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// A smaller network of token vectors below `place`.
inline Words small_network(const std::string& place,
                           const std::string& rows = "[500,100,250,250]") {
  return {"--" + place + ".encode.width", "24", "--" + place + ".encode.depth", "2",
          "--" + place + ".embed.rows",   rows};
}
// Tables of which several ranks update parts.
inline const std::string kTablesOfBlocks = "[3000,700,1500,500]";

struct RankRun {
  std::string name, config, train, dev;
  Words settings;
  std::string block = "min_shards = 4\n";  // of [training.distributed]
  std::string strategy = "sync.v1";
};

// Entities with shared token vectors: a small network, averages.
inline RankRun shared_run() {
  return {"shared", "ner_tok2vec.cfg", "data/wnut17/train.conll", "data/wnut17/dev.conll",
          joined(small_network("components.tok2vec.model"),
                 {"--training.optimizer.use_averages", "true"})};
}

// Skipped without Gloo.
class RanksTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_engine("gloo"); !why.empty()) GTEST_SKIP() << why;
    folder_ = quick_folder();
  }
  void TearDown() override {
    if (!HasFailure() && !folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // `weft train` of the run with that last step.
  Words words_for(const RankRun& run, const std::string& output, int last_step,
                  const Words& more) const {
    const std::filesystem::path config = folder_ / (run.name + "-ranks.cfg");
    std::string text = read_text(std::filesystem::path(kConfigs) / run.config);
    if (!run.block.empty()) {
      text += "\n[training.distributed]\n@distributed = \"" + run.strategy + "\"\n" + run.block;
    }
    write_text(config, text);
    const Words words = {"train",
                         config.string(),
                         "--output",
                         (folder_ / output).string(),
                         "--paths.train",
                         kConfigs + run.train,
                         "--paths.dev",
                         kConfigs + run.dev,
                         "--training.eval_frequency",
                         "25",
                         "--training.max_steps",
                         std::to_string(last_step)};
    return joined(joined(words, run.settings), more);
  }
  Outcome train(const RankRun& run, const std::string& output, const Words& more,
                int last_step = 49) const {
    return run_weft(words_for(run, output, last_step, more));
  }
  // "" where mpirun can be tried.
  static std::string why_no_mpirun() {
    if (const std::string why = why_no_engine("mpi"); !why.empty()) return why;
    return std::system("command -v mpirun >/dev/null") == 0 ? "" : "there is no mpirun";
  }
  // On two ranks; `err` has all that was said.
  Outcome train_by_mpirun(const RankRun& run, const std::string& output, int last_step) const;
  std::map<std::string, std::string> results(const std::string& output) const {
    return results_of(folder_ / output);
  }

  std::filesystem::path folder_;
};

}  // namespace weft::testing_tools
