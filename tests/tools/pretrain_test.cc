// `weft pretrain`: its files, how it goes on, what it refuses, and `train` with its weights.
#include "framework/training/pretraining/pretrain.h"

#include <algorithm>
#include <csignal>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/pipeline/load_config.h"
#include "registry/value/json.h"
#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class PretrainTest : public TrainingFolder {
 protected:
  void SetUp() override {
    TrainingFolder::SetUp();
    std::string text;
    for (int i = 0; i < 300; ++i) {
      text += "{\"text\": \"The " + std::string(i % 2 ? "old" : "new") + " house number " +
              std::to_string(i) + " of Ada Lovelace stands near the river in London.\"}\n";
    }
    write_text(folder_ / "texts.jsonl", text);
    ASSERT_EQ(
        run_weft({"init", "fill-config", path("ner.cfg"), path("pretrain.cfg"), "--pretraining"})
            .code,
        0);
  }
  Outcome pretrain(const std::string& output, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {
        "pretrain",          path("pretrain.cfg"),       path(output), "--paths.raw_text",
        path("texts.jsonl"), "--pretraining.max_epochs", "3"};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }
  std::string bytes(const std::string& file) const { return read_text(folder_ / file); }
  // The lines of a log without what depends on the clock.
  std::string log_of(const std::string& output) const {
    std::string found;
    std::istringstream lines(bytes(output + "/log.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      Object object = parse_json(line)->as_object();
      object.erase("time");
      found += to_json(object) + "\n";
    }
    return found;
  }
  void expect_same(const std::string& one, const std::string& other) const {
    for (const char* file : {"model0.bin", "model1.bin", "model2.bin", "model-last.bin"}) {
      EXPECT_EQ(bytes(one + "/" + file), bytes(other + "/" + file)) << file;
    }
    EXPECT_EQ(log_of(one), log_of(other));
  }
};

TEST_F(PretrainTest, WritesWhatTheReferenceWrites) {
  const Outcome run = pretrain("out", {"--pretraining.n_save_every", "1"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("  #      # Words   Total Loss     Loss      w/s\n"));
  EXPECT_THAT(run.out, HasSubstr("  2        1"));
  for (const char* file : {"model0.bin", "model2.bin", "model0.temp.bin", "model-last.bin"}) {
    EXPECT_TRUE(fs::exists(folder_ / "out" / file)) << file;
  }
  EXPECT_NE(bytes("out/model0.bin"), bytes("out/model1.bin"));
  EXPECT_EQ(bytes("out/model2.bin"), bytes("out/model-last.bin"));
  EXPECT_THAT(log_of("out"), HasSubstr("\"epoch\": 3"));
  EXPECT_THAT(bytes("out/config.cfg"), HasSubstr("[pretraining.objective]"));
}

// Weights and biases of the output start at zero: the loss is the number of predicted bytes.
TEST_F(PretrainTest, TheFirstLossIsThatOfNothingLearnt) {
  const Outcome run =
      pretrain("out", {"--pretraining.max_epochs", "1", "--pretraining.batcher.size", "100000"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Object line =
      parse_json(bytes("out/log.jsonl").substr(0, bytes("out/log.jsonl").find('\n')))->as_object();
  EXPECT_EQ(line.find("loss")->as_float(),
            4.0 * static_cast<double>(line.find("nr_word")->as_integer()));
}

// One text a batch: with 15 of 100 tokens masked, some twenty of the 300 have none.
TEST_F(PretrainTest, ABatchWithoutAMaskedTokenIsToldOnce) {
  const Outcome run =
      pretrain("out", {"--pretraining.max_epochs", "1", "--pretraining.batcher.size", "15"});
  ASSERT_EQ(run.code, 0) << run.err;
  const std::string note = " is masked, and nothing is learnt from it";
  const std::size_t first = run.err.find(note);
  ASSERT_NE(first, std::string::npos) << run.err;
  EXPECT_EQ(run.err.find(note, first + 1), std::string::npos) << run.err;
  const Outcome large = pretrain("large", {"--pretraining.max_epochs", "1"});
  EXPECT_THAT(large.err, Not(HasSubstr(note)));
}

TEST_F(PretrainTest, ThreadsAreNoPartOfTheResult) {
  ASSERT_EQ(pretrain("one", {"--threads", "1"}).code, 0);
  ASSERT_EQ(pretrain("three", {"--threads", "3"}).code, 0);
  expect_same("one", "three");
}

// Sizes of batches grow, so that a run that goes on in the middle of a pass has to know where the
// sizes of the pass began.
TEST_F(PretrainTest, KilledAndResumedItEndsWithTheSameBytes) {
  std::string config = bytes("pretrain.cfg");
  const std::string constant = "size = 3000\n";
  const std::size_t place = config.find(constant, config.find("[pretraining.batcher]"));
  ASSERT_NE(place, std::string::npos);
  config.replace(place, constant.size(), "");
  write_text(folder_ / "pretrain.cfg",
             config +
                 "\n[pretraining.batcher.size]\n@schedules = \"compounding.v1\"\n"
                 "start = 60\nstop = 600\ncompound = 1.05\n");
  const std::vector<std::string> often = {"--pretraining.n_save_every", "7"};
  ASSERT_EQ(pretrain("whole", often).code, 0);
  int ended = 0;
  for (int i = 0; i < 6; ++i) {
    const std::string name = "cut" + std::to_string(i);
    const std::vector<std::string> words = {"pretrain",
                                            path("pretrain.cfg"),
                                            path(name),
                                            "--paths.raw_text",
                                            path("texts.jsonl"),
                                            "--pretraining.max_epochs",
                                            "3",
                                            "--pretraining.n_save_every",
                                            "7"};
    {
      Child child(words, folder_, folder_ / "out.txt");
      child.ends_within(0.06 + 0.11 * i);
      child.send(i % 2 == 0 ? SIGKILL : SIGTERM);
      ended += child.wait() != 0 ? 1 : 0;
    }
    const Outcome resumed = pretrain(name, {"--pretraining.n_save_every", "7", "--resume"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    expect_same("whole", name);
  }
  EXPECT_GE(ended, 1);
}

TEST_F(PretrainTest, MorePassesOtherSavesAndAnotherPlaceOfTheTextMayComeLater) {
  ASSERT_EQ(pretrain("whole").code, 0);
  ASSERT_EQ(pretrain("out", {"--pretraining.max_epochs", "2"}).code, 0);
  fs::copy_file(folder_ / "texts.jsonl", folder_ / "moved.jsonl");
  const Outcome on =
      pretrain("out", {"--resume", "--paths.raw_text", path("moved.jsonl"),
                       "--pretraining.n_save_every", "4", "--pretraining.n_save_epoch", "2"});
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_TRUE(fs::exists(folder_ / "out/model2.temp.bin"));
  EXPECT_EQ(bytes("out/model2.bin"), bytes("whole/model2.bin"));
  write_text(folder_ / "moved.jsonl", bytes("moved.jsonl") + "{\"text\": \"One more.\"}\n");
  const Outcome other = pretrain("out", {"--resume", "--paths.raw_text", path("moved.jsonl"),
                                         "--pretraining.max_epochs", "4"});
  EXPECT_EQ(other.code, 3) << other.err;
  EXPECT_THAT(other.err, HasSubstr("the data of [corpora.pretrain] is not what it was"));
  EXPECT_FALSE(fs::exists(folder_ / "out/model3.bin"));
}

TEST_F(PretrainTest, TheLastWeightsAreNotWrittenWhereTheyAreSkipped) {
  ASSERT_EQ(pretrain("out", {"--skip-last"}).code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "out/model2.bin"));
  EXPECT_FALSE(fs::exists(folder_ / "out/model-last.bin"));
}

TEST_F(PretrainTest, PassesAndBatchesAreSavedAsOftenAsAsked) {
  ASSERT_EQ(
      pretrain("passes", {"--pretraining.max_epochs", "4", "--pretraining.n_save_epoch", "2"}).code,
      0);
  for (const char* file : {"model0.bin", "model2.bin", "model3.bin"}) {
    EXPECT_TRUE(fs::exists(folder_ / "passes" / file)) << file;
  }
  EXPECT_FALSE(fs::exists(folder_ / "passes/model1.bin"));
  EXPECT_FALSE(fs::exists(folder_ / "passes/model0.temp.bin"));
  // Lines of the log of one pass: those of its batches, and one of the pass.
  const auto lines = [&](const std::string& name, const std::string& every) {
    const Outcome run =
        pretrain(name, {"--pretraining.max_epochs", "1", "--pretraining.batcher.size", "600",
                        "--pretraining.n_save_every", every, "--skip-last"});
    EXPECT_EQ(run.code, 0) << run.err;
    const std::string log = bytes(name + "/log.jsonl");
    return std::count(log.begin(), log.end(), '\n');
  };
  const auto batches = lines("each", "1") - 1;
  ASSERT_GT(batches, 4);
  EXPECT_EQ(lines("third", "3") - 1, (batches + 2) / 3);
  EXPECT_EQ(lines("none", "0") - 1, 0);
  EXPECT_FALSE(fs::exists(folder_ / "none/model0.temp.bin"));
}

// Nothing of the run before is taken for the new one's; a file of somebody else stays.
TEST_F(PretrainTest, OverwritingLeavesNoWeightsOfTheRunBefore) {
  ASSERT_EQ(pretrain("out", {"--pretraining.n_save_every", "1"}).code, 0);
  write_text(folder_ / "out/my_model9.bin", "mine");
  ASSERT_EQ(pretrain("out", {"--overwrite", "--skip-last", "--pretraining.max_epochs", "1"}).code,
            0);
  EXPECT_TRUE(fs::exists(folder_ / "out/model0.bin"));
  for (const char* file : {"model1.bin", "model2.bin", "model0.temp.bin", "model-last.bin"}) {
    EXPECT_FALSE(fs::exists(folder_ / "out" / file)) << file;
  }
  EXPECT_TRUE(fs::exists(folder_ / "out/my_model9.bin"));
}

// Files of both have names in common.
TEST_F(PretrainTest, ATrainingRunInTheFolderIsKept) {
  fs::create_directories(folder_ / "run/checkpoint/pipeline");
  write_text(folder_ / "run/run.json", "{}");
  write_text(folder_ / "run/checkpoint/state.json", "{}");
  for (const char* how : {"--overwrite", "--resume"}) {
    const Outcome outcome = pretrain("run", {how});
    EXPECT_EQ(outcome.code, 2) << how;
    EXPECT_THAT(outcome.err, HasSubstr("holds a training run"));
  }
  EXPECT_EQ(read_text(folder_ / "run/run.json"), "{}");
  EXPECT_TRUE(fs::exists(folder_ / "run/checkpoint/state.json"));
}

TEST_F(PretrainTest, NoTrainingRunTakesItsPlace) {
  ASSERT_EQ(pretrain("out", {"--pretraining.max_epochs", "1"}).code, 0);
  ASSERT_TRUE(fs::exists(folder_ / "out/checkpoint/model"));
  const Outcome outcome = run_weft({"train", path("ner.cfg"), "--output", path("out"), "--resume"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("holds a pretraining"));
  EXPECT_TRUE(fs::exists(folder_ / "out/checkpoint/model"));
}

TEST_F(PretrainTest, OldWeightsBeginAnotherRun) {
  ASSERT_EQ(pretrain("out").code, 0);
  const std::string weights = path("out/model1.bin");
  const Outcome on = pretrain("out", {"--resume-path", weights, "--pretraining.max_epochs", "4"});
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_TRUE(fs::exists(folder_ / "out/model3.bin"));
  fs::copy(weights, folder_ / "weights");
  const Outcome unknown = pretrain("other", {"--resume-path", path("weights")});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--epoch-resume"));
  EXPECT_EQ(pretrain("other", {"--resume-path", path("weights"), "--epoch-resume", "2"}).code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "other/model0.bin"));
  const Outcome late = pretrain("late", {"--resume-path", path("weights"), "--epoch-resume", "3"});
  EXPECT_EQ(late.code, 2);
  EXPECT_THAT(late.err, HasSubstr("max_epochs is 3: no pass is left"));
  EXPECT_FALSE(fs::exists(folder_ / "late/model-last.bin"));
}

// The old checkpoint is there still where a run cannot begin.
TEST_F(PretrainTest, WhereTheLogCannotBeWrittenNothingIsRemoved) {
  ASSERT_EQ(pretrain("out").code, 0);
  fs::remove(folder_ / "out/log.jsonl");
  fs::create_directories(folder_ / "out/log.jsonl");
  const Outcome outcome = pretrain("out", {"--overwrite"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("log.jsonl is a folder, where a run writes a file"));
  EXPECT_TRUE(fs::exists(folder_ / "out/checkpoint/state.json"));
  EXPECT_TRUE(fs::exists(folder_ / "out/config.cfg"));
}

TEST_F(PretrainTest, TrainBeginsWithItsWeights) {
  ASSERT_EQ(pretrain("out").code, 0);
  const Outcome trained =
      run_weft({"train", path("pretrain.cfg"), "--output", path("trained"),
                "--initialize.init_tok2vec", path("out/model2.bin"), "--training.max_steps", "5"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Outcome plain = run_weft(
      {"train", path("pretrain.cfg"), "--output", path("plain"), "--training.max_steps", "5"});
  EXPECT_NE(trained.out, plain.out);
}

TEST_F(PretrainTest, HeldOutTextHasALossOfItsOwn) {
  std::string text = bytes("pretrain.cfg");
  text.insert(text.find("[pretraining]\n"),
              "[corpora.held]\n@readers = \"spacy.JsonlCorpus.v1\"\npath = \"" +
                  path("texts.jsonl") + "\"\nmin_length = 0\nmax_length = 0\nlimit = 30\n\n");
  text.insert(text.find("[pretraining]\n") + 14, "dev_corpus = \"corpora.held\"\n");
  write_text(folder_ / "pretrain.cfg", text);
  const Outcome run = pretrain("out", {"--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  std::vector<double> losses;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    losses.push_back(parse_json(line)->as_object().find("dev_loss")->as_float());
  }
  ASSERT_EQ(losses.size(), 4U);
  EXPECT_LT(losses[1], losses[0]);
  EXPECT_LT(losses[2], losses[1]);
}

TEST_F(PretrainTest, SaysWhatIsWrong) {
  const auto failure = [&](const std::vector<std::string>& more, int code = 2) {
    fs::remove_all(folder_ / "bad");
    const Outcome run = pretrain("bad", more);
    EXPECT_EQ(run.code, code) << run.err;
    EXPECT_FALSE(fs::exists(folder_ / "bad/model0.bin"));
    return run.err;
  };
  EXPECT_THAT(failure({"--paths.raw_text", path("nowhere")}), HasSubstr("nowhere"));
  EXPECT_THAT(failure({"--pretraining.component", "nre"}), HasSubstr("did you mean ner"));
  EXPECT_THAT(failure({"--pretraining.layer", "tok3vec"}), HasSubstr("did you mean tok2vec"));
  EXPECT_THAT(failure({"--pretraining.component", "ner", "--pretraining.layer", "upper"}),
              HasSubstr("layer linear"));
  EXPECT_THAT(failure({"--pretraining.component", "ner", "--pretraining.layer", ""}),
              AllOf(HasSubstr("[pretraining] component: the model of 'ner' cannot be trained on"),
                    HasSubstr("layer = \"tok2vec\"")));
  EXPECT_THAT(failure({"--epoch-resume", "3"}), HasSubstr("--resume-path"));
  write_text(folder_ / "model1.bin", "no model");
  EXPECT_THAT(failure({"--resume-path", path("model1.bin")}, 3), HasSubstr("model1.bin"));
  write_text(folder_ / "texts.jsonl", "{\"text\": 3}\n");
  EXPECT_THAT(failure({}, 3), HasSubstr("texts.jsonl:1"));
}

TEST_F(PretrainTest, AFolderWithContentAndADamagedCheckpointAreRefused) {
  ASSERT_EQ(pretrain("out").code, 0);
  EXPECT_THAT(pretrain("out").err, HasSubstr("is not empty"));
  EXPECT_EQ(pretrain("out", {"--overwrite"}).code, 0);
  std::string state = bytes("out/checkpoint/state.json");
  state[20] ^= 1;
  write_text(folder_ / "out/checkpoint/state.json", state);
  const Outcome damaged = pretrain("out", {"--resume"});
  EXPECT_EQ(damaged.code, 3);
  EXPECT_THAT(damaged.err, HasSubstr("damaged"));
  fs::remove(folder_ / "out/checkpoint/state.json");
  const std::string weights = bytes("out/model1.bin");
  const Outcome half = pretrain("out", {"--resume"});
  EXPECT_EQ(half.code, 3);
  EXPECT_THAT(half.err, HasSubstr("it has no state.json"));
  fs::remove_all(folder_ / "out/checkpoint");
  const Outcome lost = pretrain("out", {"--resume"});
  EXPECT_EQ(lost.code, 2);
  EXPECT_THAT(lost.err, HasSubstr("no checkpoint to go on from"));
  EXPECT_EQ(bytes("out/model1.bin"), weights);
  fs::create_directories(folder_ / "copied");
  write_text(folder_ / "copied/model1.bin", weights);
  EXPECT_EQ(pretrain("copied", {"--resume"}).code, 2);
  EXPECT_EQ(bytes("copied/model1.bin"), weights);
  fs::remove_all(folder_ / "out");
  ASSERT_EQ(pretrain("out").code, 0);
  const Outcome changed = pretrain("out", {"--resume", "--pretraining.dropout", "0.5"});
  EXPECT_EQ(changed.code, 2);
  EXPECT_THAT(changed.err, HasSubstr("[pretraining] dropout"));
  const Outcome empty = run_weft({"pretrain", path("ner.cfg"), path("none")});
  EXPECT_EQ(empty.code, 2);
  EXPECT_THAT(empty.err, HasSubstr("has no [pretraining]"));
}

// A signal before the first batch ends the run with a checkpoint, not in the middle of a file.
TEST_F(PretrainTest, SignalsAreWaitedForBeforeTheFirstFileIsWritten) {
  Catalogue catalogue;
  add_builtin(catalogue);
  Problems problems;
  const Overrides overrides = collect_all_overrides(
      {"--paths.raw_text", path("texts.jsonl"), "--pretraining.max_epochs", "1"}, problems);
  const Config config =
      load_pipeline_config(folder_ / "pretrain.cfg", overrides, catalogue, problems);
  bool was_empty = false;
  const PretrainOptions options{.output = folder_ / "out",
                                .interrupted = [] { return true; },
                                .started = [&] { was_empty = fs::is_empty(folder_ / "out"); }};
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_FALSE(weft::pretrain(config, catalogue, options, out, err).finished);
  EXPECT_TRUE(was_empty);
  EXPECT_TRUE(fs::exists(folder_ / "out/config.cfg"));
  const Outcome rest =
      run_weft({"pretrain", path("pretrain.cfg"), path("out"), "--resume", "--paths.raw_text",
                path("texts.jsonl"), "--pretraining.max_epochs", "1"});
  EXPECT_EQ(rest.code, 0) << rest.err;
}

}  // namespace
}  // namespace weft::testing_tools
