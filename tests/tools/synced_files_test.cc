// Every file that has a name after a power cut is whole: data reaches the disk before the name
// does, the name before anything that relies on it, and a folder that is replaced is never away.
// Seen in what the program asks of the system, in its order (tests/preload/file_trace.cc).
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/sanitizers.h"
#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct Event {
  std::string what;  // "write", "sync", "rename", "exchange", "remove"
  std::string path;
  std::string target;  // of the last but one and the last but two

  bool moves() const { return what == "rename" || what == "exchange"; }
};

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::string parent_of(const std::string& path) {
  return fs::path(path).parent_path().string();
}

std::vector<Event> events_in(const fs::path& file) {
  std::vector<Event> events;
  std::istringstream lines(read_text(file));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream parts(line);
    Event event;
    std::getline(parts, event.what, '\t');
    std::getline(parts, event.path, '\t');
    std::getline(parts, event.target, '\t');
    events.push_back(event);
  }
  return events;
}

// Follows the events and collects what is wrong with them.
class Checker {
 public:
  explicit Checker(std::vector<Event> events) : events_(std::move(events)) {
    for (at_ = 0; at_ < events_.size(); ++at_) follow(events_[at_]);
    for (const std::string& folder : unsynced_names_) {
      faults_.push_back("the names in " + folder + " were not synced at the end");
    }
  }

  const std::vector<std::string>& faults() const { return faults_; }
  // The places that something was moved to whole.
  const std::map<std::string, int>& published() const { return published_; }
  int exchanges() const { return exchanges_; }
  // Places at whose publishing a file elsewhere held data that was not synced.
  std::set<std::string> published_before(const std::string& file) const {
    const auto found = dirty_at_.find(file);
    return found == dirty_at_.end() ? std::set<std::string>() : found->second;
  }

 private:
  // Part of a folder that gets its name later.
  bool is_part(const std::string& path) const {
    return std::any_of(
        events_.begin() + static_cast<std::ptrdiff_t>(at_), events_.end(),
        [&](const Event& later) { return later.moves() && is_below(path, later.path); });
  }
  bool is_published_again(const std::string& path) const {
    return std::any_of(events_.begin() + static_cast<std::ptrdiff_t>(at_), events_.end(),
                       [&](const Event& later) { return later.moves() && later.target == path; });
  }
  void fault(const std::string& what) {
    faults_.push_back("event " + std::to_string(at_) + ": " + what);
  }

  void follow(const Event& event) {
    if (event.what == "write") {
      for (const std::string& folder : unsynced_names_) {
        fault(event.path + " was written before the names in " + folder + " were synced");
      }
      unsynced_names_.clear();
      dirty_.insert(event.path);
      if (known_.insert(event.path).second) dirty_.insert(parent_of(event.path));
    } else if (event.what == "sync") {
      dirty_.erase(event.path);
      unsynced_names_.erase(event.path);
    } else if (event.what == "remove") {
      if (published_.contains(event.path) && is_published_again(event.path)) {
        fault(event.path + " was removed before another took its place");
      }
      dirty_.erase(event.path);
      known_.erase(event.path);
    } else {
      move(event);
    }
  }

  void move(const Event& event) {
    if (published_.contains(event.path)) fault(event.path + " was moved away");
    const bool is_whole = !is_part(event.target);
    if (is_whole) check_synced(event);
    exchanges_ += event.what == "exchange" ? 1 : 0;
    rename_all(event.path, event.target, event.what == "exchange");
    if (!is_whole) {
      dirty_.insert(parent_of(event.target));
      return;
    }
    unsynced_names_.insert(parent_of(event.target));
    ++published_[event.target];
    for (const std::string& path : dirty_) dirty_at_[path].insert(event.target);
  }

  void check_synced(const Event& event) {
    for (const std::string& path : dirty_) {
      if (path == event.path || is_below(path, event.path)) {
        fault(path + " got its place " + event.target + " before it was synced");
      }
    }
  }

  static std::string renamed(const std::string& path, const std::string& from,
                             const std::string& to) {
    if (path == from || is_below(path, from)) return to + path.substr(from.size());
    return path;
  }
  void rename_all(const std::string& from, const std::string& to, bool exchanged) {
    for (std::set<std::string>* paths : {&dirty_, &known_}) {
      std::set<std::string> now;
      for (const std::string& path : *paths) {
        const bool is_moved = path == from || is_below(path, from);
        if (is_moved || !exchanged) {
          now.insert(renamed(path, from, to));
        } else {
          now.insert(renamed(path, to, from));
        }
      }
      *paths = std::move(now);
    }
  }

  std::vector<Event> events_;
  std::size_t at_ = 0;
  std::set<std::string> dirty_, known_;   // files and folders; files that were written
  std::set<std::string> unsynced_names_;  // folders in which a name is new
  std::map<std::string, int> published_;  // how often
  std::map<std::string, std::set<std::string>> dirty_at_;
  int exchanges_ = 0;
  std::vector<std::string> faults_;
};

class SyncedFilesTest : public TrainingFolder {
 protected:
  void SetUp() override {
    if (kHasSanitizer) GTEST_SKIP() << "a sanitizer has to be the first library that is loaded";
    TrainingFolder::SetUp();
    folder_ = fs::canonical(folder_);
  }
  Checker traced(const Words& words) const {
    const fs::path trace = folder_ / "trace";
    fs::remove(trace);
    const Outcome outcome = run_weft(words, {"LD_PRELOAD=" + build_path("tests/file_trace.so"),
                                             "WEFT_TRACE_FILE=" + trace.string()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Checker(events_in(trace));
  }
  Words training(const Words& more) const {
    Words words = {"train",
                   path("ner.cfg"),
                   "--output",
                   path("out"),
                   "--training.max_steps",
                   "30",
                   "--training.eval_frequency",
                   "10"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(SyncedFilesTest, ATrainingRunSyncsBeforeItNamesAndExchangesWhatItReplaces) {
  const Checker checker = traced(training(
      {"--training.checkpoints.every_steps", "5", "--training.checkpoints.keep_last", "2"}));
  EXPECT_THAT(checker.faults(), testing::IsEmpty());
  const auto& published = checker.published();
  for (const char* folder : {"out/model-last", "out/model-best", "out/checkpoint"}) {
    ASSERT_TRUE(published.contains(path(folder))) << folder;
  }
  EXPECT_GE(published.at(path("out/model-last")), 3);
  EXPECT_GE(published.at(path("out/checkpoint")), 6);
  EXPECT_TRUE(published.contains(path("out/checkpoint-5")));
  EXPECT_TRUE(published.contains(path("out/run.json")));
  // All but the first of each.
  EXPECT_GE(checker.exchanges(), 2 + 5);
}

// A checkpoint says how far the log reaches.
TEST_F(SyncedFilesTest, TheLogIsSyncedBeforeTheCheckpointThatKnowsItsLength) {
  const Checker checker = traced(training({}));
  EXPECT_FALSE(checker.published_before(path("out/log.jsonl")).contains(path("out/checkpoint")));
  ASSERT_TRUE(fs::exists(folder_ / "out/log.jsonl"));
}

TEST_F(SyncedFilesTest, ARunThatGoesOnDoesSoToo) {
  ASSERT_EQ(train("out", {"--training.max_steps", "10"}).code, 0);
  const Checker checker =
      traced({"train", "--resume", "--output", path("out"), "--training.max_steps", "20"});
  EXPECT_THAT(checker.faults(), testing::IsEmpty());
  EXPECT_TRUE(checker.published().contains(path("out/checkpoint")));
  EXPECT_FALSE(checker.published_before(path("out/log.jsonl")).contains(path("out/checkpoint")));
}

// Files that come piece by piece, and folders of commands other than `train`.
TEST_F(SyncedFilesTest, OtherOutputsAreSyncedBeforeTheyAreNamed) {
  ASSERT_EQ(train("out", {"--training.max_steps", "1"}).code, 0);
  const std::string model = path("out/model-last");
  write_text(folder_ / "assemble.cfg",
             "[nlp]\nlang = \"en\"\npipeline = [\"ner\"]\n\n[components]\n\n[components.ner]\n"
             "source = \"" +
                 model + "\"\n");
  for (const auto& [words, made] : std::vector<std::pair<Words, std::string>>{
           {{"convert", path("train.conll"), path("train.spacy")}, path("train.spacy")},
           {{"apply", model, path("dev.conll"), "-o", path("found.jsonl")}, path("found.jsonl")},
           {{"evaluate", model, path("dev.conll"), "--output", path("scores.json")},
            path("scores.json")},
           {{"assemble", path("assemble.cfg"), path("assembled")}, path("assembled")}}) {
    const Checker checker = traced(words);
    EXPECT_THAT(checker.faults(), testing::IsEmpty()) << words[0];
    EXPECT_TRUE(checker.published().contains(made)) << words[0];
  }
}

}  // namespace
}  // namespace weft::testing_tools
