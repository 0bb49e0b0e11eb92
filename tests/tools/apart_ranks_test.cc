// Training on ranks that go on by themselves between meetings: async.v1 and local.v1, as a user
// starts them.
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/sha256.h"
#include "registry/value/json.h"
#include "tests/tools/rank_runs.h"

namespace weft::testing_tools {
namespace {

using testing::HasSubstr;

class ApartRanksTest : public RanksTest {
 protected:
  static RankRun run_by(const std::string& strategy, const std::string& block = "\n") {
    RankRun run = shared_run();
    run.strategy = strategy;
    run.block = block;
    return run;
  }

  // A run's files but for the name of its strategy: without the config, its hash in meta.json, and
  // the hash of that in the checkpoint.
  std::map<std::string, std::string> results_of_any_strategy(const std::string& output) const {
    std::map<std::string, std::string> files = results(output), names;
    for (const auto& [file, text] : files) {
      if (file.ends_with("config.cfg") || file.ends_with("meta.json")) names[sha256(text)] = file;
    }
    std::erase_if(files, [](const auto& file) { return file.first.ends_with("config.cfg"); });
    for (auto& [_, text] : files) {
      for (const auto& [hash, name] : names) {
        for (std::size_t at; (at = text.find(hash)) != std::string::npos;) {
          text.replace(at, hash.size(), name);
        }
      }
    }
    return files;
  }

  // The lines of log.jsonl.
  std::vector<Node> log(const std::string& output) const {
    std::vector<Node> lines;
    std::istringstream text(read_text(folder_ / output / "log.jsonl"));
    for (std::string line; std::getline(text, line);) {
      auto node = parse_json(line);
      if (node) lines.push_back(std::move(*node));
    }
    return lines;
  }
  static double number(const Node& node, const std::vector<std::string>& path) {
    const Node* at = &node;
    for (const std::string& key : path) {
      at = at->is_object() ? at->as_object().find(key) : nullptr;
      if (at == nullptr) return NAN;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&at->value())) {
      return static_cast<double>(*integer);
    }
    const auto* real = std::get_if<double>(&at->value());
    return real != nullptr ? *real : NAN;
  }
  // Of the steps since the evaluation before, all components together.
  static double loss(const Node& line) { return number(line, {"losses", "ner"}); }
};

TEST_F(ApartRanksTest, OneRankGivesTheBytesOfSync) {
  ASSERT_EQ(train(run_by("sync.v1"), "sync", {}, 30).code, 0);
  const auto sync = results_of_any_strategy("sync");
  for (const char* strategy : {"async.v1", "local.v1"}) {
    const Outcome one = train(run_by(strategy), strategy, {"--n-workers", "1"}, 30);
    ASSERT_EQ(one.code, 0) << one.err;
    EXPECT_EQ(difference(sync, results_of_any_strategy(strategy)), "") << strategy;
  }
}

// Not the same model, but one that has learnt as much. With the default, max_staleness = 0, it
// would not have: about half of the gradients of two ranks are dropped, and two thirds of those of
// three.
TEST_F(ApartRanksTest, SeveralRanksTrain) {
  ASSERT_EQ(train(run_by("sync.v1"), "sync", {}, 150).code, 0);
  const std::vector<Node> sync = log("sync");
  for (const auto& [strategy, block] :
       {std::pair("async.v1", "max_staleness = 10\n"), std::pair("local.v1", "steps = 4\n")}) {
    for (const char* ranks : {"2", "3"}) {
      const std::string output = std::string(strategy) + ranks;
      const Outcome several =
          train(run_by(strategy, block), output, {"--n-workers", ranks, "--threads", "1"}, 150);
      ASSERT_EQ(several.code, 0) << several.err;
      EXPECT_THAT(several.err, HasSubstr(std::string("training on ") + ranks + " ranks by " +
                                         strategy + " over gloo"));
      const std::vector<Node> lines = log(output);
      ASSERT_EQ(lines.size(), sync.size());
      // The losses are those of all ranks: as large as one rank's.
      const double first = loss(lines.at(1)), last = loss(lines.back());
      EXPECT_LT(last, 0.8 * first) << output;
      EXPECT_NEAR(first / loss(sync.at(1)), 1.0, 0.4) << output;
      EXPECT_NEAR(last / loss(sync.back()), 1.0, 0.6) << output;
      EXPECT_EQ(number(lines.back(), {"words"}), number(sync.back(), {"words"})) << output;
      EXPECT_EQ(number(lines.back(), {"learn_rate"}), number(sync.back(), {"learn_rate"}));
      const double used = number(lines.back(), {"gradients", "used"});
      const double stale = number(lines.back(), {"gradients", "stale"});
      if (std::string(strategy) == "async.v1") {
        EXPECT_GT(used, 150.0) << output;
        EXPECT_GE(stale, 0.0) << output;  // NaN, where there is none, is not
      } else {
        EXPECT_TRUE(std::isnan(used)) << output;
      }
    }
  }
}

TEST_F(ApartRanksTest, MpirunTrains) {
  if (const std::string why = why_no_mpirun(); !why.empty()) GTEST_SKIP() << why;
  for (const char* strategy : {"async.v1", "local.v1"}) {
    const Outcome several = train_by_mpirun(run_by(strategy), strategy, 60);
    ASSERT_EQ(several.code, 0) << several.err;
    EXPECT_THAT(several.err, HasSubstr(std::string(strategy) + " over mpi"));
    EXPECT_LT(loss(log(strategy).back()), loss(log(strategy).at(1))) << strategy;
  }
}

TEST_F(ApartRanksTest, NarrowFormatsTrain) {
  for (const char* strategy : {"async.v1", "local.v1"}) {
    for (const char* level : {"O2", "O3"}) {
      const std::string output = std::string(strategy) + level;
      const Outcome several =
          train(run_by(strategy), output,
                {"--n-workers", "2", "--threads", "1", "--training.precision.level", level}, 60);
      ASSERT_EQ(several.code, 0) << output << ": " << several.err;
      const std::vector<Node> lines = log(output);
      EXPECT_LT(loss(lines.back()), loss(lines.at(1))) << output;
    }
  }
}

TEST_F(ApartRanksTest, LocalRunsGiveTheSameBytesAgainAlsoWhenTheyAreResumed) {
  const RankRun run = run_by("local.v1", "steps = 4\n");
  const Words ranks = {"--n-workers", "2", "--threads", "1"};
  ASSERT_EQ(train(run, "whole", ranks).code, 0);
  ASSERT_EQ(train(run, "again", ranks).code, 0);
  EXPECT_EQ(difference(results("whole"), results("again")), "");
  // The last step of a part is one after which weights are averaged anyway.
  ASSERT_EQ(train(run, "parts", ranks, 19).code, 0);
  const Outcome resumed = run_weft(joined(
      {"train", "--resume", "--output", (folder_ / "parts").string(), "--training.max_steps", "49"},
      ranks));
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  const auto whole = results("whole"), parts = results("parts");
  for (const char* file :
       {"model-last/ner/model", "model-last/tok2vec/model", "checkpoint/optimizer.safetensors"}) {
    EXPECT_TRUE(whole.at(file) == parts.at(file)) << file;
  }
}

TEST_F(ApartRanksTest, AnAsyncRunGoesOnAtAnotherNumberOfRanks) {
  const RankRun run = run_by("async.v1");
  ASSERT_EQ(train(run, "out", {"--n-workers", "2", "--threads", "1"}, 30).code, 0);
  for (const auto& [ranks, last_step] : {std::pair("3", "60"), std::pair("1", "90")}) {
    const Outcome resumed =
        run_weft({"train", "--resume", "--output", (folder_ / "out").string(), "--n-workers", ranks,
                  "--threads", "1", "--training.max_steps", last_step});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
  }
  const std::vector<Node> lines = log("out");
  EXPECT_LT(loss(lines.back()), loss(lines.at(1)));
}

TEST_F(ApartRanksTest, SettingsOutOfRangeAreRefusedWithTheirPlace) {
  for (const auto& [strategy, setting, range] :
       {std::tuple("async.v1", "max_staleness = -1", "max_staleness"),
        std::tuple("async.v1", "max_staleness = 1001", "max_staleness"),
        std::tuple("async.v1", "max_ahead = 0", "max_ahead"),
        std::tuple("async.v1", "max_ahead = 100000", "max_ahead"),
        std::tuple("async.v1", "steps = 4", "steps"), std::tuple("local.v1", "steps = 0", "steps"),
        std::tuple("local.v1", "steps = 100001", "steps"),
        std::tuple("local.v1", "steps = 1.5", "steps")}) {
    const RankRun run = run_by(strategy, std::string(setting) + "\n");
    words_for(run, "out", 5, {});
    const Outcome checked = run_weft({"debug", "config", (folder_ / "shared-ranks.cfg").string()});
    EXPECT_NE(checked.code, 0) << setting;
    EXPECT_THAT(checked.out + checked.err, HasSubstr("shared-ranks.cfg:")) << setting;
    EXPECT_THAT(checked.out + checked.err, HasSubstr(range)) << setting;
  }
}

TEST_F(ApartRanksTest, SavingByTheClockIsForRanksInStep) {
  const Words words = {"--n-workers", "2", "--training.checkpoints.every_minutes", "1.0"};
  for (const char* strategy : {"async.v1", "local.v1"}) {
    const Outcome refused = train(run_by(strategy), "out", words, 5);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("every_minutes: it is for ranks in step"));
  }
}

}  // namespace
}  // namespace weft::testing_tools
