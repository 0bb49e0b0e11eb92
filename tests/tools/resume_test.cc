// The output for users of interrupted, resumed, failing and diverging runs.
#include <algorithm>
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/comm/open_engine.h"
#include "framework/io/temporary_name.h"
#include "registry/value/json.h"
#include "tests/folders.h"
#include "tests/sanitizers.h"
#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/small_runs.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

class ResumeTest : public TrainingFolder {
 protected:
  Outcome resume(const std::string& output, Words more = {}) const {
    Words words = {"train", "--resume", "--output", path(output)};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }
  std::string log_of(const std::string& output) const {
    return results_of(folder_ / output).at("log.jsonl");
  }
  std::string difference_of(const std::string& left, const std::string& right) const {
    return difference(results_of(folder_ / left), results_of(folder_ / right));
  }
};

TEST_F(ResumeTest, MoreStepsGoOnAsIfTheyHadBeenAskedForAtOnce) {
  ASSERT_EQ(train("all", {"--training.max_steps", "40"}).code, 0);
  ASSERT_EQ(train("part", {"--training.max_steps", "17"}).code, 0);
  const Outcome resumed = resume("part", {"--training.max_steps", "40"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  const auto all = results_of(folder_ / "all"), part = results_of(folder_ / "part");
  for (const char* file :
       {"log.jsonl", "config.cfg", "model-last/ner/model", "model-last/meta.json",
        "model-best/ner/model", "checkpoint/optimizer.safetensors", "checkpoint/state.json"}) {
    EXPECT_EQ(all.at(file), part.at(file)) << file;
  }
  EXPECT_THAT(read_text(folder_ / "part/run.json"), HasSubstr("\"from_step\": 18"));
}

TEST_F(ResumeTest, AFinishedRunStaysAsItIs) {
  ASSERT_EQ(train("out").code, 0);
  const auto before = results_of(folder_ / "out");
  ASSERT_EQ(resume("out").code, 0);
  EXPECT_EQ(difference(before, results_of(folder_ / "out")), "");
}

TEST_F(ResumeTest, AnotherOutputTakesLogAndBestPipelineAlong) {
  ASSERT_EQ(train("all").code, 0);
  ASSERT_EQ(train("part", {"--training.max_steps", "21"}).code, 0);
  const auto before = results_of(folder_ / "part");
  const Outcome resumed =
      resume("other", {"--checkpoint", path("part/checkpoint"), "--training.max_steps", "40"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(log_of("all"), log_of("other"));
  EXPECT_EQ(results_of(folder_ / "all").at("model-last/ner/model"),
            results_of(folder_ / "other").at("model-last/ner/model"));
  EXPECT_TRUE(fs::exists(folder_ / "other/model-best/ner/model"));
  EXPECT_EQ(difference(before, results_of(folder_ / "part")), "");
}

TEST_F(ResumeTest, AnOlderCheckpointCanBeTaken) {
  const Words kept = {"--training.checkpoints.every_steps", "10",
                      "--training.checkpoints.keep_last", "3"};
  ASSERT_EQ(train("out", kept).code, 0);
  const auto before = results_of(folder_ / "out");
  ASSERT_TRUE(fs::exists(folder_ / "out/checkpoint-30")) << difference({}, before);
  const Outcome resumed = resume("out", {"--checkpoint", path("out/checkpoint-30")});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(before.at("log.jsonl"), log_of("out"));
  EXPECT_EQ(before.at("model-last/ner/model"),
            results_of(folder_ / "out").at("model-last/ner/model"));
}

// A run to step 12, whatever came behind it before.
TEST_F(ResumeTest, GoingBackLeavesNothingOfTheStepsThatAreDropped) {
  const Words kept = {
      "--training.checkpoints.every_steps", "10", "--training.checkpoints.keep_last", "99",
      "--training.eval_frequency",          "5",  "--training.optimizer.learn_rate",  "0.1"};
  Words shorter = kept;
  shorter.insert(shorter.end(), {"--training.max_steps", "12"});
  ASSERT_EQ(train("short", shorter).code, 0);
  ASSERT_EQ(train("out", kept).code, 0);
  ASSERT_NE(results_of(folder_ / "out").at("model-best/ner/model"),
            results_of(folder_ / "short").at("model-best/ner/model"));
  ASSERT_EQ(train("other", kept).code, 0);
  // Behind the evaluation of step 10, the best one so far; none follows before step 12.
  const std::string older = path("other/checkpoint-11");
  for (const std::string output : {"out", "elsewhere"}) {
    const std::string from = output == "out" ? path("out/checkpoint-11") : older;
    const Outcome resumed = resume(output, {"--checkpoint", from, "--training.max_steps", "12"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(log_of(output), log_of("short")) << output;
    // The hash of the config is that of another max_steps.
    const auto best = [&](const std::string& run) {
      const auto results = results_of(folder_ / run);
      const std::string& meta = results.at("model-best/meta.json");
      return results.at("model-best/ner/model") + meta.substr(0, meta.find("file_sha256"));
    };
    EXPECT_TRUE(best(output) == best("short")) << output;
  }
}

// One that is killed before it saves anything of its own goes on where it wanted to.
TEST_F(ResumeTest, ARunThatWentBackGoesOnFromThere) {
  const Words kept = {"--training.checkpoints.every_steps", "10",
                      "--training.checkpoints.keep_last", "9"};
  ASSERT_EQ(train("out", kept).code, 0);
  const auto all = results_of(folder_ / "out");
  for (const std::string output : {"out", "elsewhere"}) {
    const fs::path told = folder_ / (output + ".txt");
    Child back(
        {"train", "--resume", "--checkpoint", "out/checkpoint-10", "--output", output,
         "--training.max_steps", "0", "--training.patience", "0", "--training.eval_frequency",
         "1000000000", "--training.checkpoints.every_steps", "0"},
        folder_, told);
    const auto has_begun = [&] {
      return fs::exists(told) && read_text(told).find("step 10 comes") != std::string::npos;
    };
    while (!has_begun() && !back.ends_within(0.01)) {
    }
    back.send(SIGKILL);
    ASSERT_EQ(back.wait(), 128 + SIGKILL) << read_text(told);
    EXPECT_FALSE(fs::exists(folder_ / output / "checkpoint-30"));
    Words again = {"train", path("ner.cfg"), "--resume", "--output", path(output)};
    again.insert(again.end(), kept.begin(), kept.end());
    const Outcome on = run_weft(again);
    ASSERT_EQ(on.code, 0) << on.err;
    EXPECT_THAT(on.err, HasSubstr("step 10 comes next"));
    EXPECT_EQ(log_of(output), all.at("log.jsonl")) << output;
  }
}

TEST_F(ResumeTest, SettingsThatCannotChangeAreRefusedByName) {
  ASSERT_EQ(train("out", {"--training.max_steps", "5"}).code, 0);
  const auto before = results_of(folder_ / "out");
  const Outcome refused =
      resume("out", {"--components.ner.model.hidden_width", "8", "--training.batcher.size", "50"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("[components.ner.model] hidden_width"));
  EXPECT_THAT(refused.err, HasSubstr("[training.batcher] size"));
  EXPECT_THAT(refused.err, HasSubstr("it was 16, now it is 8"));
  write_text(folder_ / "train.conll", small_corpus(59));
  const Outcome other_data = resume("out");
  EXPECT_EQ(other_data.code, 3);
  EXPECT_THAT(other_data.err, HasSubstr("[corpora.train]"));
  EXPECT_EQ(difference(before, results_of(folder_ / "out")), "");
}

TEST_F(ResumeTest, DamageOfACheckpointIsNamed) {
  ASSERT_EQ(train("out", {"--training.max_steps", "5"}).code, 0);
  for (const char* file :
       {"state.json", "optimizer.safetensors", "pipeline/ner/model", "pipeline/meta.json"}) {
    const fs::path place = folder_ / "out/checkpoint" / file;
    const std::string text = read_text(place);
    std::string damaged = text;
    damaged[damaged.size() / 2] ^= 1;
    write_text(place, damaged);
    const Outcome outcome = resume("out");
    EXPECT_EQ(outcome.code, 3) << file;
    EXPECT_THAT(outcome.err, HasSubstr(file));
    write_text(place, text);
  }
  EXPECT_EQ(resume("out").code, 0);
}

TEST_F(ResumeTest, AnEmptyConfigOfACheckpointIsDamage) {
  ASSERT_EQ(train("out", {"--training.max_steps", "2"}).code, 0);
  write_text(folder_ / "out/checkpoint/pipeline/config.cfg", "");
  const Outcome outcome = resume("out");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("is damaged: pipeline/config.cfg: changed"));
}

TEST_F(ResumeTest, ACheckpointThatIsALinkIsNamed) {
  ASSERT_EQ(train("out", {"--training.max_steps", "2"}).code, 0);
  fs::create_directories(folder_ / "large");
  fs::rename(folder_ / "out/checkpoint", folder_ / "large/checkpoint");
  fs::create_directory_symlink("../large/checkpoint", folder_ / "out/checkpoint");
  const auto before = results_of(folder_ / "out");
  const std::string says = "out/checkpoint is a link, and is not followed";
  for (const Words& more : {Words{}, Words{"--checkpoint", path("out/checkpoint")}}) {
    const Outcome outcome = resume("out", more);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_THAT(outcome.err, Not(HasSubstr("--overwrite")));
  }
  EXPECT_EQ(difference(before, results_of(folder_ / "out")), "");
}

TEST_F(ResumeTest, ADamagedManifestIsNamedAndStays) {
  ASSERT_EQ(train("out", {"--training.max_steps", "2"}).code, 0);
  write_text(folder_ / "out/run.json", "{");
  const auto before = results_of(folder_ / "out");
  const Outcome outcome = resume("out", {"--training.max_steps", "4"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("out/run.json: no JSON object with the parts of a run"));
  EXPECT_EQ(read_text(folder_ / "out/run.json"), "{");
  EXPECT_EQ(difference(before, results_of(folder_ / "out")), "");
  fs::remove(folder_ / "out/run.json");
  EXPECT_EQ(resume("out", {"--training.max_steps", "4"}).code, 0);
}

TEST_F(ResumeTest, AFolderThatIsTooDeepIsNotTakenAlong) {
  ASSERT_EQ(train("out", {"--training.max_steps", "2"}).code, 0);
  fs::path deep = folder_ / "out/checkpoint/best";
  for (int level = 0; level < 300; ++level) deep /= "d";
  fs::create_directories(deep);
  const Outcome outcome = resume("other", {"--checkpoint", path("out/checkpoint")});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("out/checkpoint/best has folders that lie more than 64 deep"));
  EXPECT_FALSE(fs::exists(folder_ / "other"));
}

TEST_F(ResumeTest, WithoutACheckpointItStartsFromTheBeginning) {
  ASSERT_EQ(train("all").code, 0);
  ASSERT_EQ(train("out", {"--training.max_steps", "1"}).code, 0);
  fs::remove_all(folder_ / "out/checkpoint");
  const Outcome outcome = resume("out", {"--training.max_steps", "40"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("starts from the beginning"));
  EXPECT_EQ(difference_of("all", "out"), "");
  const Outcome nothing = resume("absent");
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("give the config"));
}

TEST_F(ResumeTest, ALostCheckpointIsNotTakenForARunThatHadNone) {
  ASSERT_EQ(train("out").code, 0);
  const auto before = results_of(folder_ / "out");
  fs::rename(folder_ / "out/checkpoint/state.json", folder_ / "kept.json");
  const Outcome damaged = resume("out");
  EXPECT_EQ(damaged.code, 3);
  EXPECT_THAT(damaged.err, HasSubstr("checkpoint is damaged: it has no state.json"));
  fs::remove_all(folder_ / "out/checkpoint");
  const Outcome lost = resume("out");
  EXPECT_EQ(lost.code, 2);
  EXPECT_THAT(lost.err, HasSubstr("no checkpoint to go on from; --overwrite starts"));
  auto after = results_of(folder_ / "out");
  for (const auto& [file, text] : before) {
    if (file.starts_with("checkpoint/")) continue;
    EXPECT_EQ(after[file], text) << file;
  }
  const Outcome again = resume("out", {"--overwrite"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(difference(before, results_of(folder_ / "out")), "");
}

// Copied from elsewhere, or what was left of a run.
TEST_F(ResumeTest, AModelWithoutItsRunIsNotReplaced) {
  ASSERT_EQ(train("out", {"--training.max_steps", "5"}).code, 0);
  const auto before = results_of(folder_ / "out");
  fs::create_directories(folder_ / "copy");
  fs::copy(folder_ / "out/model-best", folder_ / "copy/model-best", fs::copy_options::recursive);
  fs::remove_all(folder_ / "out/checkpoint");
  fs::remove(folder_ / "out/run.json");
  for (const std::string output : {"copy", "out"}) {
    const Outcome outcome =
        run_weft({"train", path("ner.cfg"), "--resume", "--output", path(output)});
    EXPECT_EQ(outcome.code, 2) << output;
    EXPECT_THAT(outcome.err, HasSubstr("no checkpoint to go on from; --overwrite starts"));
    EXPECT_EQ(read_text(folder_ / output / "model-best/ner/model"),
              before.at("model-best/ner/model"));
  }
}

// Where the file system cannot exchange two folders, a run that is killed while it replaces its
// checkpoint leaves none under that name.
TEST_F(ResumeTest, ACheckpointThatWasJustBeingReplacedIsPutBack) {
  ASSERT_EQ(train("all").code, 0);
  ASSERT_EQ(train("out", {"--training.max_steps", "25"}).code, 0);
  const fs::path checkpoint = folder_ / "out/checkpoint";
  fs::copy(checkpoint, folder_ / "out" / temporary_name("checkpoint", TemporaryKind::fresh),
           fs::copy_options::recursive);
  fs::rename(checkpoint, folder_ / "out" / temporary_name("checkpoint", TemporaryKind::old));
  // Ranks are started again with the folder as it is; without an engine for them, one goes on.
  const std::string ranks = why_no_engine("gloo").empty() ? "2" : "1";
  const Outcome resumed = resume("out", {"--training.max_steps", "40", "--n-workers", ranks});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, Not(HasSubstr("from the beginning")));
  const auto all = results_of(folder_ / "all"), out = results_of(folder_ / "out");
  for (const char* file : {"log.jsonl", "model-last/ner/model", "checkpoint/state.json"}) {
    EXPECT_EQ(all.at(file), out.at(file)) << file;
  }
}

// A run that is ended while it clears the folder has removed its manifest first.
TEST_F(ResumeTest, AHalfClearedFolderIsStartedInAgain) {
  ASSERT_EQ(train("out").code, 0);
  for (const char* file : {"run.json", "config.cfg", "checkpoint/state.json"}) {
    fs::remove(folder_ / "out" / file);
  }
  const Outcome again = resume("out");
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("give the config"));
  const Outcome anew = run_weft({"train", path("ner.cfg"), "--resume", "--output", path("out")});
  EXPECT_EQ(anew.code, 0) << anew.err;
  EXPECT_THAT(anew.err, HasSubstr("the run starts from the beginning"));
}

TEST_F(ResumeTest, OverwritingKeepsTheOldBestUntilThereIsANewOne) {
  ASSERT_EQ(train("out", {"--training.max_steps", "5"}).code, 0);
  const auto before = results_of(folder_ / "out");
  EXPECT_EQ(train("out").code, 2);
  write_text(folder_ / "dev.conll", "Ada\tB-person\nwent\n\n");  // found after the start
  EXPECT_EQ(train("out", {"--overwrite"}).code, 3);
  EXPECT_EQ(read_text(folder_ / "out/model-best/ner/model"), before.at("model-best/ner/model"));
  // The new run did not start: all is as it was.
  EXPECT_EQ(difference(before, results_of(folder_ / "out")), "");
  // Once it has started, the old one must not be resumed in its place.
  fs::copy_file(folder_ / "train.conll", folder_ / "dev.conll",
                fs::copy_options::overwrite_existing);
  const std::string quick = "--training.max_steps";
  EXPECT_EQ(train("out", {"--overwrite", quick, "1"}).code, 0);
  EXPECT_NE(read_text(folder_ / "out/checkpoint/state.json"), before.at("checkpoint/state.json"));
}

// A write fails in the middle of a file, as on a full disk: at sizes that hit different files.
TEST_F(ResumeTest, AFullDiskEndsTheRunAndLeavesTheLastGoodState) {
  ASSERT_EQ(train("all").code, 0);
  ASSERT_EQ(train("out", {"--training.max_steps", "5"}).code, 0);
  const auto before = results_of(folder_ / "out");
  const fs::path told = folder_ / "told.txt";
  for (const std::size_t limit : {2000, 20000, 60000, 70000}) {
    fs::remove(told);
    Child child({"train", "--resume", "--output", "out", "--training.max_steps", "40"}, folder_,
                told, limit);
    EXPECT_EQ(child.wait(), 1) << limit << read_text(told);
    EXPECT_THAT(read_text(told), HasSubstr("File too large")) << limit;
    const auto after = results_of(folder_ / "out");
    for (const auto& [name, text] : before) {
      if (!name.starts_with("model-best") && !name.starts_with("checkpoint")) continue;
      EXPECT_EQ(text, after.at(name)) << name << " at " << limit;
    }
  }
  ASSERT_EQ(resume("out", {"--training.max_steps", "40"}).code, 0);
  for (const char* file : {"log.jsonl", "model-last/ner/model", "model-best/ner/model"}) {
    EXPECT_EQ(results_of(folder_ / "all").at(file), results_of(folder_ / "out").at(file)) << file;
  }
}

TEST_F(ResumeTest, AFolderThatCannotBeWrittenIsAnError) {
  write_text(folder_ / "file", "");
  EXPECT_EQ(train("file").code, 2);
  const Outcome below = train("file/out");
  EXPECT_EQ(below.code, 1);
  EXPECT_THAT(below.err, HasSubstr("file/out"));
  const Outcome system = run_weft({"train", path("ner.cfg"), "--output", "/proc/weft"});
  EXPECT_EQ(system.code, 1) << system.err;
}

TEST_F(ResumeTest, ASignalSavesAndSaysHowToGoOn) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
    const fs::path told = folder_ / "told.txt";
    fs::remove(told);
    fs::remove_all(folder_ / "out");
    Child child({"train", path("ner.cfg"), "--output", "out", "--training.max_steps", "0",
                 "--training.patience", "0"},
                folder_, told);
    while (!fs::exists(folder_ / "out/checkpoint/state.json") && !child.ends_within(0.01)) {
    }
    child.send(signal);
    ASSERT_TRUE(child.ends_within(10)) << signal;
    EXPECT_EQ(child.wait(), 128 + signal) << read_text(told);
    EXPECT_THAT(read_text(told), HasSubstr("weft train --resume --output out"));
    EXPECT_EQ(resume("out", {"--training.max_steps", "1"}).code, 0);
  }
}

// As under nohup.
TEST_F(ResumeTest, ASignalThatWasIgnoredAtTheStartStaysIgnored) {
  for (const int signal : {SIGHUP, SIGUSR1}) {
    fs::remove_all(folder_ / "out");
    const fs::path told = folder_ / "told.txt";
    fs::remove(told);
    Child child({"train", path("ner.cfg"), "--output", "out", "--training.max_steps", "0",
                 "--training.patience", "0", "--training.eval_frequency", "5"},
                folder_, told, 0,
                {"sh", "-c", "trap '' " + std::to_string(signal) + "; exec \"$0\" \"$@\""});
    while (!fs::exists(folder_ / "out/checkpoint/state.json") && !child.ends_within(0.01)) {
    }
    child.send(signal);
    const auto lines = [&] {
      const std::string log = read_text(folder_ / "out/log.jsonl");
      return std::count(log.begin(), log.end(), '\n');
    };
    // It trains on, and still listens to the others.
    const auto before = lines();
    for (int i = 0; i < 1000 && lines() < before + 3; ++i) {
      ASSERT_FALSE(child.ends_within(0.01)) << signal << read_text(told);
    }
    EXPECT_GE(lines(), before + 3) << signal;
    child.send(SIGTERM);
    ASSERT_TRUE(child.ends_within(10)) << signal;
    EXPECT_EQ(child.wait(), 128 + SIGTERM) << read_text(told);
    EXPECT_THAT(read_text(told), HasSubstr("interrupted by SIGTERM"));
  }
}

// A shell reads it back as the command that goes on, with all that this one was given.
TEST_F(ResumeTest, TheCommandThatGoesOnCanBeCopied) {
  const fs::path told = folder_ / "told.txt";
  const std::string plugin = build_path("tests/test_plugin_throwing.so");
  Child child({"train", path("ner.cfg"), "--output", "it's out", "--training.max_steps", "0",
               "--training.patience", "0", "--code", plugin, "--threads", "1"},
              folder_, told);
  while (!fs::exists(folder_ / "it's out/checkpoint/state.json") && !child.ends_within(0.01)) {
  }
  child.send(SIGTERM);
  ASSERT_TRUE(child.ends_within(10));
  EXPECT_THAT(read_text(told), HasSubstr("weft train --resume --output 'it'\\''s out' --code " +
                                         plugin + " --threads 1\n"));
}

TEST_F(ResumeTest, ASecondSignalEndsAtOnceAndLosesNothing) {
  if (kHasThreadSanitizer)
    GTEST_SKIP() << "ThreadSanitizer holds signals back while threads compute";
  // Steps so long that none ends between the signals.
  write_text(folder_ / "train.conll", small_corpus(60000));
  const fs::path told = folder_ / "told.txt";
  Child child({"train", path("ner.cfg"), "--output", "out", "--training.max_steps", "0",
               "--training.patience", "0", "--training.batcher.size", "400000", "--threads", "1"},
              folder_, told);
  while (!fs::exists(folder_ / "out/checkpoint/state.json") && !child.ends_within(0.01)) {
  }
  const std::string state = read_text(folder_ / "out/checkpoint/state.json");
  child.send(SIGINT);
  // Two that wait together become one.
  ASSERT_TRUE(child.has_taken(SIGINT));
  child.send(SIGINT);
  ASSERT_TRUE(child.ends_within(10));
  EXPECT_EQ(child.wait(), 128 + SIGINT);
  // Nothing was saved and nothing said: it did not end as after the first one.
  EXPECT_THAT(read_text(told), Not(HasSubstr("--resume")));
  EXPECT_EQ(read_text(folder_ / "out/checkpoint/state.json"), state);
  EXPECT_EQ(resume("out", {"--training.max_steps", "1"}).code, 0);
}

TEST_F(ResumeTest, TwoRunsDoNotWriteToOneFolder) {
  const fs::path told = folder_ / "told.txt";
  Child first({"train", path("ner.cfg"), "--output", "out", "--training.max_steps", "0",
               "--training.patience", "0"},
              folder_, told);
  while (!fs::exists(folder_ / "out/checkpoint/state.json") && !first.ends_within(0.01)) {
  }
  const Outcome second = resume("out");
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.err, HasSubstr("another run is writing"));
}

TEST_F(ResumeTest, DivergenceNamesTheStepAndItsDocumentsAndCanBeReplayed) {
  const Outcome diverged =
      train("out", {"--training.optimizer.learn_rate", "1e25", "--training.optimizer.L2", "0.0",
                    "--training.checkpoints.every_steps", "1"});
  EXPECT_EQ(diverged.code, 4) << diverged.err;
  EXPECT_THAT(diverged.err, HasSubstr("training diverged in step 2"));
  EXPECT_THAT(diverged.err, HasSubstr("component 'ner', layer"));
  EXPECT_THAT(diverged.err, HasSubstr("the training documents "));
  EXPECT_TRUE(fs::exists(folder_ / "out/checkpoint/state.json"));
  const Outcome replayed = run_weft({"debug", "step", path("out"), "--json"});
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  const Node document = *parse_json(replayed.out);
  EXPECT_EQ(document.as_object().find("step")->as_integer(), 2);
  // The same documents, in the same order.
  std::string numbers;
  for (const Node& one : document.as_object().find("documents")->as_list()) {
    const auto number = one.as_object().find("number")->as_integer();
    if (!numbers.empty()) break;
    numbers = "documents " + std::to_string(number) + " (";
  }
  EXPECT_THAT(diverged.err, HasSubstr(numbers));
  std::int64_t bad = 0;
  for (const Node& one : document.as_object().find("parameters")->as_list()) {
    bad += one.as_object().find("bad_gradients")->as_integer();
    EXPECT_EQ(one.as_object().find("bad_values")->as_integer(), 0);
  }
  EXPECT_GT(bad, 0);
  EXPECT_THAT(run_weft({"debug", "step", path("out")}).out, HasSubstr("step 2, epoch 0"));
}

// The gradients are fine, the step is not: the state that is kept is that of a run which ended
// before it.
TEST_F(ResumeTest, AStepThatOverflowsIsFoundInThatStepAndCanBeReplayed) {
  const std::string config = read_text(folder_ / "ner.cfg");
  for (const auto& [name, level, averages] :
       {std::tuple("plain", "O0", "true"), std::tuple("without", "O0", "false"),
        std::tuple("low", "O2", "true")}) {
    write_text(folder_ / "ner.cfg",
               config + "use_averages = " + averages +
                   "\n\n[training.optimizer.learn_rate]\n@schedules = \"constant_then.v1\"\n"
                   "rate = 0.001\nsteps = 3\nschedule = 1e39\n"
                   "\n[training.precision]\n@precision = \"amp.v1\"\nlevel = \"" +
                   level + "\"\n");
    const std::string out = name, until = out + "_until";
    const Outcome diverged = train(out);
    EXPECT_EQ(diverged.code, 4) << diverged.err;
    EXPECT_THAT(diverged.err, HasSubstr("training diverged in step 3: the optimizer's step would "
                                        "leave a NaN or an infinity in"));
    EXPECT_THAT(diverged.err, HasSubstr("of component 'ner', layer"));
    EXPECT_THAT(diverged.err, HasSubstr("parameter "));
    EXPECT_THAT(diverged.err, HasSubstr("the training documents "));
    ASSERT_EQ(train(until, {"--training.max_steps", "2"}).code, 0);
    for (const char* file : {"pipeline/ner/model", "optimizer.safetensors"}) {
      EXPECT_EQ(read_text(folder_ / out / "diverged" / file),
                read_text(folder_ / until / "checkpoint" / file))
          << out << " " << file;
    }
    const Outcome replayed = run_weft({"debug", "step", path(out), "--json"});
    ASSERT_EQ(replayed.code, 0) << replayed.err;
    const Node document = *parse_json(replayed.out);
    EXPECT_EQ(document.as_object().find("step")->as_integer(), 3);
    EXPECT_THAT(document.as_object().find("bad_step")->as_string(),
                HasSubstr("would leave a NaN or an infinity in ner/"));
    for (const Node& one : document.as_object().find("parameters")->as_list()) {
      EXPECT_EQ(one.as_object().find("bad_gradients")->as_integer(), 0);
    }
  }
}

TEST_F(ResumeTest, InfoVerifyFindsWhatChanged) {
  ASSERT_EQ(train("out", {"--training.max_steps", "1"}).code, 0);
  const std::string model = path("out/model-last");
  const Outcome good = run_weft({"info", model, "--verify"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("0 differ"));
  std::string bytes = read_text(fs::path(model) / "ner/model");
  bytes[bytes.size() / 2] ^= 1;
  write_text(fs::path(model) / "ner/model", bytes);
  fs::remove(fs::path(model) / "tokenizer");
  write_text(fs::path(model) / "notes.txt", "mine");
  const Outcome bad = run_weft({"info", model, "--verify", "--json"});
  EXPECT_EQ(bad.code, 3);
  const Node found = *parse_json(bad.out);
  EXPECT_EQ(found.as_object().find("differences")->as_list().size(), 3u);
  EXPECT_THAT(bad.out, HasSubstr("ner/model: changed"));
  EXPECT_THAT(bad.out, HasSubstr("tokenizer: missing"));
  EXPECT_EQ(run_weft({"info", "--verify"}).code, 2);
}

}  // namespace
}  // namespace weft::testing_tools
