// Names that somebody planted where a command writes: under every name that its temporary files
// could be guessed to have, and under the names of its outputs.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/hostile/special_file.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Words = std::vector<std::string>;

// A command and the one file or folder that it is told to write.
struct Writer {
  Words words;
  std::string output;
  bool is_folder = false;
};

class TemporaryFilesTest : public TrainingFolder {
 protected:
  void SetUp() override {
    TrainingFolder::SetUp();
    write_text(folder_ / "texts.txt", "Ada went to Oslo.\n");
    write_text(folder_ / "in.jsonl", kLine);
    fs::create_directories(folder_ / "far");
    write_text(folder_ / "far/file", "theirs");
    write_text(folder_ / "far/state.json", "theirs");
    const Outcome trained =
        train("made", {"--training.max_steps", "2", "--training.eval_frequency", "1"});
    ASSERT_EQ(trained.code, 0) << trained.err;
    far_ = tree_of(folder_ / "far");
  }

  // Every command that writes one thing under a name of the user's.
  static std::vector<Writer> writers() {
    const std::string model = "made/model-last";
    return {{{"convert", "in.jsonl", "o.jsonl"}, "o.jsonl"},
            {{"convert", "in.jsonl", "o.conll"}, "o.conll"},
            {{"convert", "in.jsonl", "o.spacy"}, "o.spacy"},
            {{"apply", model, "texts.txt", "-o", "o.jsonl"}, "o.jsonl"},
            {{"apply", model, "texts.txt", "-o", "o.spacy"}, "o.spacy"},
            {{"evaluate", model, "dev.conll", "--output", "o.json"}, "o.json"},
            {{"init", "config", "o.cfg", "--force"}, "o.cfg"},
            {{"init", "fill-config", "ner.cfg", "o.cfg"}, "o.cfg"},
            {{"init", "labels", "ner.cfg", "labels"}, "labels/ner.json"},
            {{"assemble", "sourced.cfg", "o"}, "o", true}};
  }

  void write_sourced_config() const {
    write_text(folder_ / "sourced.cfg",
               "[nlp]\nlang = \"en\"\npipeline = [\"ner\"]\n\n[components]\n\n[components.ner]\n"
               "source = \"made/model-last\"\n");
  }

  // Links to a foreign file under the names that were once made of the number of the process, for
  // the processes that start next.
  void plant_around(const std::string& output) const {
    const fs::path place = folder_ / output;
    fs::create_directories(place.parent_path());
    const pid_t latest = ::fork();
    if (latest == 0) ::_exit(0);
    ::waitpid(latest, nullptr, 0);
    for (pid_t number = latest; number < latest + 200; ++number) {
      for (const char* what : {".new-", ".old-"}) {
        const std::string name = "." + place.filename().string() + what + std::to_string(number);
        fs::remove(place.parent_path() / name);
        fs::create_symlink(folder_ / "far/file", place.parent_path() / name);
      }
    }
  }

  void expect_far_unchanged(const std::string& why) const {
    SCOPED_TRACE(why);
    expect_unchanged(far_, tree_of(folder_ / "far"));
  }

  static constexpr const char* kLine = "{\"words\": [\"Ada\"], \"ner_tags\": [\"B-PER\"]}\n";
  Tree far_;
};

std::string shown(const Writer& writer) {
  std::string text;
  for (const std::string& word : writer.words) text += word + " ";
  return text;
}

TEST_F(TemporaryFilesTest, PlantedLinksAreNotFollowed) {
  write_sourced_config();
  for (const Writer& writer : writers()) {
    plant_around(writer.output);
    const HostileRun run = run_hostile(shown(writer), writer.words, folder_);
    expect_ended_well(run);
    EXPECT_EQ(run.code, 0) << run.name << run.err;
    expect_far_unchanged(run.name);
    EXPECT_TRUE(fs::exists(folder_ / writer.output)) << run.name;
    EXPECT_FALSE(fs::is_symlink(folder_ / writer.output)) << run.name;
    fs::remove_all(folder_ / writer.output);
  }
}

TEST_F(TemporaryFilesTest, OutputsThatAreLinksAreReplaced) {
  write_sourced_config();
  for (const Writer& writer : writers()) {
    for (const char* to : {"far/file", "far/nothing", "far", "o.loop", "/dev/null"}) {
      const fs::path output = folder_ / writer.output;
      fs::create_directories(output.parent_path());
      fs::create_symlink(*to == '/' ? fs::path(to) : folder_ / to, output);
      const HostileRun run =
          run_hostile(shown(writer) + "on a link to " + to, writer.words, folder_);
      expect_ended_well(run);
      expect_far_unchanged(run.name);
      const bool was_refused =
          run.code != 0 && writer.is_folder;  // `assemble` replaces pipelines only
      EXPECT_TRUE(run.code == 0 || was_refused) << run.name << run.err;
      EXPECT_EQ(fs::is_symlink(output), was_refused) << run.name;
      fs::remove_all(output);
    }
  }
}

TEST_F(TemporaryFilesTest, OutputsThatAreFoldersOrSocketsAreRefused) {
  for (const Writer& writer : writers()) {
    if (writer.is_folder) continue;
    for (const char* kind : {"folder", "socket"}) {
      fs::create_directories((folder_ / writer.output).parent_path());
      put_special(kind, folder_ / writer.output, folder_ / "elsewhere");
      const auto before = fs::symlink_status(folder_ / writer.output).type();
      const HostileRun run = run_hostile(shown(writer) + "on a " + kind, writer.words, folder_);
      expect_ended_well(run);
      EXPECT_GT(run.code, 0) << run.name;
      EXPECT_EQ(fs::symlink_status(folder_ / writer.output).type(), before) << run.name;
      fs::remove_all(folder_ / writer.output);
    }
  }
}

TEST_F(TemporaryFilesTest, AFifoIsWrittenTo) {
  for (const Writer& writer : writers()) {
    if (writer.is_folder) continue;
    const fs::path fifo = folder_ / writer.output;
    fs::create_directories(fifo.parent_path());
    put_special("fifo", fifo, {});
    std::string got;
    std::thread reader([&] { got = read_text(fifo); });
    const HostileRun run = run_hostile(shown(writer) + "into a FIFO", writer.words, folder_);
    if (run.code != 0) static_cast<void>(run_weft({"convert", path("in.jsonl"), fifo.string()}));
    reader.join();
    EXPECT_EQ(run.code, 0) << run.name << run.err;
    EXPECT_FALSE(got.empty()) << run.name;
    EXPECT_TRUE(fs::is_fifo(fifo)) << run.name;
    fs::remove(fifo);
  }
}

TEST_F(TemporaryFilesTest, AFifoThatNobodyReadsEndsTheCommand) {
  put_special("fifo", folder_ / "o.jsonl", {});
  expect_refused(run_hostile("fifo", {"convert", "in.jsonl", "o.jsonl"}, folder_), "nobody reads");
}

TEST_F(TemporaryFilesTest, DevicesStay) {
  for (const char* device : {"/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const auto before = fs::symlink_status(device).type();
    const Outcome outcome = run_weft(
        {"evaluate", path("made/model-last"), path("dev.conll"), "--output", device, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(fs::symlink_status(device).type(), before) << device;
    // Once for --json, and once more where the output is the same stream.
    EXPECT_EQ(outcome.out.find("ents_f") != outcome.out.rfind("ents_f"),
              std::string(device) != "/dev/null")
        << device << outcome.out;
  }
  const Outcome full =
      run_weft({"evaluate", path("made/model-last"), path("dev.conll"), "--output", "/dev/full"});
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.err, HasSubstr("/dev/full: No space left"));
}

TEST_F(TemporaryFilesTest, AnInputIsNotWrittenOver) {
  fs::create_directories(folder_ / "corpus");
  ASSERT_EQ(run_weft({"convert", path("in.jsonl"), path("corpus/a.spacy")}).code, 0);
  fs::create_symlink("in.jsonl", folder_ / "link.jsonl");
  fs::create_hard_link(folder_ / "in.jsonl", folder_ / "hard.jsonl");
  const std::string model = "made/model-last";
  const std::vector<Words> commands = {{"convert", "in.jsonl", "in.jsonl"},
                                       {"convert", "in.jsonl", "./in.jsonl"},
                                       {"convert", "in.jsonl", "corpus/../in.jsonl"},
                                       {"convert", "in.jsonl", "link.jsonl"},
                                       {"convert", "link.jsonl", "in.jsonl"},
                                       {"convert", "in.jsonl", "hard.jsonl"},
                                       {"convert", "corpus", "corpus/a.spacy"},
                                       {"apply", model, "in.jsonl", "-o", "in.jsonl"},
                                       {"apply", model, "link.jsonl", "-o", "in.jsonl"},
                                       {"apply", model, "corpus", "--output", "corpus/a.spacy"},
                                       {"evaluate", model, "dev.conll", "--output", "dev.conll"},
                                       {"evaluate", model, "corpus", "-o", "corpus/a.spacy"}};
  const Tree before = tree_of(folder_);
  for (const Words& words : commands) {
    const bool in_folder = words.back() == "corpus/a.spacy";
    expect_refused(run_hostile(words.front() + " " + words.back(), words, folder_),
                   in_folder ? "lies in the folder that is read" : "is the input itself");
  }
  expect_unchanged(before, tree_of(folder_));
}

TEST_F(TemporaryFilesTest, AFolderThatCannotBeWritten) {
  for (Writer writer : writers()) {
    if (writer.is_folder) continue;
    const std::string shown_as = shown(writer);
    // The system's own folder of processes takes no file of anybody.
    std::replace(writer.words.begin(), writer.words.end(), writer.output, "/proc/" + writer.output);
    if (writer.words.back() == "labels") writer.words.back() = "/proc/labels";
    const HostileRun run = run_hostile(shown_as + "in /proc", writer.words, folder_);
    expect_ended_well(run);
    EXPECT_NE(run.code, 0) << run.name;
  }
}

// A run writes into a folder that was there before it.
TEST_F(TemporaryFilesTest, AnOutputFolderFullOfLinks) {
  const Words fresh = {"train",
                       "ner.cfg",
                       "--output",
                       "out",
                       "--overwrite",
                       "--training.max_steps",
                       "2",
                       "--training.eval_frequency",
                       "1"};
  for (const char* name : {"model-last", "model-best", "checkpoint", "checkpoint-1", "diverged",
                           "log.jsonl", "run.json", "config.cfg"}) {
    for (const char* to : {"far", "far/file", "far/nothing"}) {
      fs::create_directories(folder_ / "out");
      fs::create_symlink(folder_ / to, folder_ / "out" / name);
      plant_around(std::string("out/") + name);
      const HostileRun run = run_hostile(std::string(name) + " leads to " + to, fresh, folder_);
      expect_ended_well(run);
      EXPECT_EQ(run.code, 0) << run.name << run.err;
      expect_far_unchanged(run.name);
      fs::remove_all(folder_ / "out");
    }
  }
}

TEST_F(TemporaryFilesTest, LeftoversThatAreLinks) {
  for (const char* name : {".model-best.old-1", ".model-last.new-7", ".run.json.new-3",
                           ".checkpoint.old-abcdefghijklmnop", ".log.jsonl.new-abcdefghijklmnop"}) {
    fs::create_symlink(folder_ / "far", folder_ / "made" / name);
  }
  fs::remove_all(folder_ / "made/model-best");
  expect_ended_well(run_hostile("resume", {"train", "--resume", "--output", "made"}, folder_));
  expect_far_unchanged("resume");
  EXPECT_TRUE(fs::is_symlink(folder_ / "made/.model-best.old-1"));
  EXPECT_FALSE(fs::is_symlink(folder_ / "made/model-best"));
}

TEST_F(TemporaryFilesTest, AResumedRunCutsNoFileBehindALink) {
  for (const char* to : {"far/file", "far/nothing", "far"}) {
    fs::remove_all(folder_ / "made/log.jsonl");
    fs::create_symlink(folder_ / to, folder_ / "made/log.jsonl");
    expect_refused(run_hostile(to, {"train", "--resume", "--output", "made"}, folder_),
                   "log.jsonl");
    expect_far_unchanged(to);
  }
}

}  // namespace
}  // namespace weft::testing_tools
