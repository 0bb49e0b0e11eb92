// Training on several ranks of this machine, as a user starts it: `--n-workers`, mpirun, and the
// variables of torchrun. The files of a run are compared byte by byte with those of one rank.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/comm/open_engine.h"
#include "tests/folders.h"
#include "tests/tools/program.h"
#include "tests/tools/rank_runs.h"
#include "tests/tools/small_runs.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::vector<RankRun> rank_runs() {
  const std::string conll_train = "data/wnut17/train.conll", conll_dev = "data/wnut17/dev.conll";
  const std::string trees = "data/ud-en-ewt/train.spacy", tree_dev = "data/ud-en-ewt/dev.spacy";
  const std::string rows = "data/snips/train.tsv.gz", row_dev = "data/snips/dev.tsv";
  const Words shared = small_network("components.tok2vec.model");
  const Words blocks = small_network("components.tok2vec.model", kTablesOfBlocks);
  const Words averages = {"--training.optimizer.use_averages", "true"};
  const Words large = {"--training.batcher.size.start", "1700", "--training.batcher.size.stop",
                       "1800"};
  return {
      shared_run(),
      {"cut", "ner_tok2vec.cfg", conll_train, conll_dev, joined(shared, large), ""},
      {"own", "ner.cfg", conll_train, conll_dev,
       joined(small_network("components.ner.model.tok2vec", kTablesOfBlocks),
              {"--training.precision.level", "O2", "--training.accumulate_gradient", "2"})},
      {"text", "textcat.cfg", rows, row_dev, {"--corpora.train.limit", "600"}},
      {"text16",
       "textcat.cfg",
       rows,
       row_dev,
       {"--corpora.train.limit", "600", "--training.precision.level", "O2"}},
      {"parser", "parser.cfg", trees, tree_dev,
       joined(joined(blocks, averages), {"--training.precision.grad_norm", "0.7"})},
      {"parser16", "parser.cfg", trees, tree_dev,
       joined(shared, {"--training.precision.level", "O2", "--training.accumulate_gradient", "3"})},
      // Weights of 16 bits with averages of 32.
      {"low", "ner_tok2vec.cfg", conll_train, conll_dev,
       joined(joined(blocks, averages), {"--training.precision.level", "O3"})},
      // One shard, so that all ranks but one have none.
      {"idle", "ner_tok2vec.cfg", conll_train, conll_dev, shared, ""},
  };
}

class EveryRankRun : public RanksTest, public testing::WithParamInterface<RankRun> {};

TEST_P(EveryRankRun, GivesTheSameBytesOnAnyNumberOfRanks) {
  const RankRun& run = GetParam();
  const Outcome one = train(run, "one", {"--threads", "2"});
  ASSERT_EQ(one.code, 0) << one.err;
  for (const auto& [ranks, threads] : {std::pair("2", "1"), std::pair("4", "2")}) {
    const std::string output = std::string("on") + ranks;
    const Outcome several = train(run, output, {"--n-workers", ranks, "--threads", threads});
    ASSERT_EQ(several.code, 0) << several.err;
    EXPECT_THAT(several.err,
                HasSubstr(std::string("training on ") + ranks + " ranks by sync.v1 over gloo"));
    EXPECT_EQ(difference(results("one"), results(output)), "") << ranks << " ranks";
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryRankRun, testing::ValuesIn(rank_runs()),
                         [](const auto& info) { return info.param.name; });

// A component of another pipeline that is left as it is.
TEST_F(RanksTest, AFrozenComponentStaysOnAllRanks) {
  RankRun run = rank_runs().front();
  ASSERT_EQ(train(run, "base", {}, 3).code, 0);
  std::string text = read_text(kConfigs + run.config);
  const std::size_t begin = text.find("[components.tok2vec]"), end = text.find("[components.ner]");
  ASSERT_LT(begin, end);
  text.replace(
      begin, end - begin,
      "[components.tok2vec]\nsource = \"" + (folder_ / "base/model-last").string() + "\"\n\n");
  const std::string width = "${components.tok2vec.model.encode.width}";
  for (std::size_t at; (at = text.find(width)) != std::string::npos;) {
    text.replace(at, width.size(), "24");
  }
  write_text(folder_ / "source.cfg", text);
  run.config = (folder_ / "source.cfg").string();
  run.settings = {"--training.frozen_components", "[\"tok2vec\"]"};
  const Outcome one = train(run, "one", {});
  ASSERT_EQ(one.code, 0) << one.err;
  const Outcome several = train(run, "several", {"--n-workers", "3"});
  ASSERT_EQ(several.code, 0) << several.err;
  EXPECT_EQ(difference(results("one"), results("several")), "");
  EXPECT_TRUE(results("several").at("model-last/tok2vec/model") ==
              results("base").at("model-last/tok2vec/model"));
}

// A rehearsal is divided as the training data is.
TEST_F(RanksTest, ARehearsalGivesTheSameBytes) {
  RankRun run = rank_runs().front();
  ASSERT_EQ(train(run, "base", {}, 3).code, 0);
  std::string text = read_text(kConfigs + run.config);
  const std::size_t begin = text.find("[components.tok2vec]"), end = text.find("[corpora]");
  ASSERT_LT(begin, end);
  const std::string source = "source = \"" + (folder_ / "base/model-last").string() + "\"\n\n";
  text.replace(begin, end - begin,
               "[components.tok2vec]\n" + source + "[components.ner]\n" + source);
  text += "\n[training.rehearsal]\ncorpus = \"corpora.dev\"\nevery = 2\n";
  write_text(folder_ / "rehearsal.cfg", text);
  run.config = (folder_ / "rehearsal.cfg").string();
  run.settings = {"--training.optimizer.use_averages", "true"};
  const Outcome one = train(run, "one", {}, 30);
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(results("one").at("log.jsonl"), HasSubstr("rehearsal_ner"));
  const Outcome several = train(run, "several", {"--n-workers", "3"}, 30);
  ASSERT_EQ(several.code, 0) << several.err;
  EXPECT_EQ(difference(results("one"), results("several")), "");
  // And where it goes on.
  ASSERT_EQ(train(run, "parts", {"--n-workers", "2"}, 9).code, 0);
  const Outcome part = run_weft({"train", "--resume", "--output", (folder_ / "parts").string(),
                                 "--n-workers", "3", "--training.max_steps", "30"});
  ASSERT_EQ(part.code, 0) << part.err;
  EXPECT_TRUE(results("parts").at("model-last/ner/model") ==
              results("one").at("model-last/ner/model"));
}

// Parameters that are frozen at first have an owner when they are trained.
TEST_F(RanksTest, WhatIsUnfrozenLaterIsTrained) {
  RankRun run = rank_runs().front();
  ASSERT_EQ(train(run, "base", {}, 3).code, 0);
  std::string text = read_text(kConfigs + run.config);
  const std::size_t begin = text.find("[components.tok2vec]"), end = text.find("[corpora]");
  const std::string source = "source = \"" + (folder_ / "base/model-last").string() + "\"\n\n";
  text.replace(begin, end - begin,
               "[components.tok2vec]\n" + source + "[components.ner]\n" + source);
  text += "\n[training.unfreeze]\nnames = [\"tok2vec\"]\nsteps = [10]\n";
  write_text(folder_ / "unfreeze.cfg", text);
  run.config = (folder_ / "unfreeze.cfg").string();
  run.settings = {"--training.frozen_components", "[\"tok2vec\"]"};
  const Outcome one = train(run, "one", {}, 30);
  ASSERT_EQ(one.code, 0) << one.err;
  const Outcome several = train(run, "several", {"--n-workers", "2"}, 30);
  ASSERT_EQ(several.code, 0) << several.err;
  EXPECT_EQ(difference(results("one"), results("several")), "");
  EXPECT_FALSE(results("several").at("model-last/tok2vec/model") ==
               results("base").at("model-last/tok2vec/model"));
}

TEST_F(RanksTest, ARunGoesOnAtAnotherNumberOfRanks) {
  for (const char* name : {"shared", "own", "parser"}) {
    RankRun run;
    for (const RankRun& one : rank_runs()) run = one.name == name ? one : run;
    ASSERT_EQ(train(run, "whole", {"--n-workers", "2"}).code, 0);
    ASSERT_EQ(train(run, "parts", {"--n-workers", "4"}, 9).code, 0);
    for (const auto& [ranks, last_step] : {std::pair("1", "21"), std::pair("2", "49")}) {
      const Outcome part = run_weft({"train", "--resume", "--output", (folder_ / "parts").string(),
                                     "--n-workers", ranks, "--training.max_steps", last_step});
      ASSERT_EQ(part.code, 0) << part.err;
    }
    const auto whole = results("whole"), parts = results("parts");
    const std::string model =
        std::string("model-last/") + (run.config == "parser.cfg" ? "parser" : "ner") + "/model";
    for (const std::string& file : {model, std::string("checkpoint/optimizer.safetensors")}) {
      EXPECT_TRUE(whole.at(file) == parts.at(file)) << name << ": " << file;
    }
    fs::remove_all(folder_ / "whole");
    fs::remove_all(folder_ / "parts");
  }
}

TEST_F(RanksTest, MpirunGivesTheSameBytes) {
  if (const std::string why = why_no_mpirun(); !why.empty()) GTEST_SKIP() << why;
  const RankRun run = rank_runs().front();
  ASSERT_EQ(train(run, "one", {}, 20).code, 0);
  const Outcome several = train_by_mpirun(run, "mpi", 20);
  ASSERT_EQ(several.code, 0) << several.err;
  EXPECT_THAT(several.err, HasSubstr("training on 2 ranks by sync.v1 over mpi"));
  EXPECT_EQ(difference(results("one"), results("mpi")), "");
}

TEST_F(RanksTest, FastReductionTrainsTheSameOnEveryRank) {
  RankRun run = rank_runs().front();
  run.block = "min_shards = 4\nreduce = \"fast\"\n";
  ASSERT_EQ(train(run, "first", {"--n-workers", "2"}, 20).code, 0);
  ASSERT_EQ(train(run, "second", {"--n-workers", "2"}, 20).code, 0);
  EXPECT_EQ(difference(results("first"), results("second")), "");
}

// Ranks with whole subtrees of the sum of all shards need not send their shards one by one.
TEST_F(RanksTest, ExactReductionSendsOneGradientForEachRank) {
  RankRun run = rank_runs()[1];  // of batches with documents for all shards
  const std::string sent = "rank 0 sent ";
  std::map<std::string, std::string> told;
  for (const std::string reduce : {"exact", "fast"}) {
    run.block = "min_shards = 8\nreduce = \"" + reduce + "\"\n";
    const Outcome outcome = train(run, reduce, {"--n-workers", "2"}, 20);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::size_t at = outcome.err.find(sent);
    ASSERT_NE(at, std::string::npos) << outcome.err;
    told[reduce] = outcome.err.substr(at, outcome.err.find(" to the others", at) - at);
  }
  EXPECT_EQ(told["exact"], told["fast"]);
  EXPECT_TRUE(results("exact").at("model-last/ner/model") ==
              results("fast").at("model-last/ner/model"));
}

TEST_F(RanksTest, RanksWithPartsOfSubtreesGiveTheSameBytes) {
  RankRun run = rank_runs().front();
  run.block = "min_shards = 7\n";
  ASSERT_EQ(train(run, "one", {}, 20).code, 0);
  for (const char* ranks : {"2", "3", "5"}) {
    ASSERT_EQ(train(run, ranks, {"--n-workers", ranks, "--threads", "1"}, 20).code, 0);
    EXPECT_EQ(difference(results("one"), results(ranks)), "") << ranks << " ranks";
  }
}

TEST_F(RanksTest, AnErrorOfTheConfigOrTheDataIsToldOnce) {
  RankRun run = rank_runs().front();
  run.train = "data/wnut17/missing.conll";
  const Outcome missing = train(run, "out", {"--n-workers", "3"});
  EXPECT_EQ(missing.code, 2);
  const std::size_t first = missing.err.find("missing.conll");
  ASSERT_NE(first, std::string::npos) << missing.err;
  EXPECT_EQ(missing.err.find("missing.conll", first + 1), std::string::npos) << missing.err;
}

TEST_F(RanksTest, MoreThanOneRankIsRefusedWhereItCannotBe) {
  const RankRun run = rank_runs().front();
  EXPECT_EQ(train(run, "out", {"--n-workers", "0"}).code, 2);
  EXPECT_EQ(train(run, "out", {"--n-workers", "many"}).code, 2);
  const Outcome many = train(run, "out", {"--n-workers", "257"});
  EXPECT_EQ(many.code, 2);
  EXPECT_THAT(many.err, HasSubstr("--n-workers is 257, not 1 to 256"));
  const Outcome alone = train(run, "out", {"--max-restarts", "1"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, HasSubstr("--max-restarts needs --n-workers"));
  const Outcome dry = train(run, "out", {"--n-workers", "2", "--dry-run"});
  EXPECT_EQ(dry.code, 2);
  EXPECT_THAT(dry.err, HasSubstr("a dry run is for one rank"));
}

// Two ranks that are started by hand, as torchrun would.
class RanksByHand : public RanksTest {
 protected:
  // Gives what rank 0 said and the codes of both.
  Outcome train_both(const Words& settings_of_1, int& code_of_1) {
    static int port = 20000 + static_cast<int>(::getpid() % 20000);
    ++port;
    const RankRun run = rank_runs().front();
    std::string command;
    for (int rank : {0, 1}) {
      command += "RANK=" + std::to_string(rank) + " WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 " +
                 "MASTER_PORT=" + std::to_string(port) + " timeout 100 " + build_path("bin/weft");
      for (const std::string& word :
           words_for(run, "hand", 5, rank == 1 ? settings_of_1 : Words())) {
        command += " '" + word + "'";
      }
      const std::string stem = (folder_ / ("rank" + std::to_string(rank))).string();
      command += " >" + stem + ".out 2>" + stem + ".err";
      command += rank == 0 ? " & " : "; ";
    }
    command += "echo $? >" + (folder_ / "code1").string() + "; wait $!";
    const int status = std::system(("bash -c \"" + escaped(command) + "\"").c_str());
    code_of_1 = std::atoi(read_text(folder_ / "code1").c_str());
    return {WEXITSTATUS(status), read_text(folder_ / "rank0.out"),
            read_text(folder_ / "rank0.err")};
  }
  static std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (c == '"' || c == '$' || c == '\\') result += '\\';
      result += c;
    }
    return result;
  }
};

TEST_F(RanksByHand, TrainTogether) {
  int code = -1;
  const Outcome root = train_both({}, code);
  EXPECT_EQ(root.code, 0) << root.err;
  EXPECT_EQ(code, 0);
  EXPECT_EQ(read_text(folder_ / "rank1.err") + read_text(folder_ / "rank1.out"), "");
}

TEST_F(RanksByHand, AnotherConfigOrOtherDataAreNamed) {
  int code = -1;
  const Outcome dropout = train_both({"--training.dropout", "0.3"}, code);
  EXPECT_EQ(dropout.code, 2);
  EXPECT_EQ(code, 2);
  EXPECT_THAT(dropout.err, HasSubstr("rank 1 ("));
  EXPECT_THAT(dropout.err, HasSubstr("training.dropout is 0.3 there and 0.1 on rank 0"));
  const Outcome data = train_both({"--paths.train", kConfigs + "data/wnut17/test.conll"}, code);
  EXPECT_EQ(data.code, 2) << data.err;
  EXPECT_EQ(code, 2);
  EXPECT_THAT(data.err, HasSubstr("corpora.train"));
  EXPECT_EQ(read_text(folder_ / "rank1.err"), "");
}

TEST_F(RanksByHand, AnErrorOfOneRankEndsBoth) {
  int code = -1;
  const Outcome root = train_both({"--paths.train", "/nowhere.conll"}, code);
  EXPECT_EQ(root.code, 2);
  EXPECT_EQ(code, 2);
  EXPECT_THAT(root.err, HasSubstr("rank 1 ("));
  EXPECT_THAT(root.err, HasSubstr("/nowhere.conll"));
}

}  // namespace
}  // namespace weft::testing_tools
