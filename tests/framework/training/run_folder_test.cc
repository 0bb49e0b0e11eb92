#include "framework/training/run_folder.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/io/open_below.h"
#include "framework/pipeline/pipeline_hashes.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {
namespace fs = std::filesystem;

class RunFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "RunFolderTest" /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
  }
  static void save(RunFolder& run, std::int64_t step, std::int64_t keep_last) {
    run.save_checkpoint(step, keep_last, [&](const fs::path& folder) {
      write_file(folder / "state.json", std::to_string(step));
    });
  }
  // A model of that text, and its hash.
  static void write_pipeline(const fs::path& folder, const std::string& model) {
    fs::create_directories(folder);
    write_file(folder / "model", model);
    Object meta;
    meta.set(std::string(kFileHashes), hash_files(folder, "meta.json"));
    write_file(folder / "meta.json", to_json(Node(std::move(meta))));
  }
  std::string names() const {
    std::set<std::string> sorted;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      sorted.insert(entry.path().filename().string());
    }
    std::string all;
    for (const std::string& name : sorted) all += name + " ";
    return all;
  }
  fs::path folder_;
};

TEST_F(RunFolderTest, KeepsSoManyCheckpointsTheNewestUnderTheSameName) {
  RunFolder run(folder_);
  for (const int step : {3, 6, 9, 12}) save(run, step, 3);
  EXPECT_EQ(names(), "checkpoint checkpoint-6 checkpoint-9 ");
  EXPECT_EQ(read_file(folder_ / "checkpoint/state.json"), "12");
  EXPECT_EQ(read_file(folder_ / "checkpoint-9/state.json"), "9");
  save(run, 15, 1);
  EXPECT_EQ(names(), "checkpoint ");
}

TEST_F(RunFolderTest, ARunThatGoesOnFromAnEarlierOneDropsTheLaterOnes) {
  {
    RunFolder run(folder_);
    for (const int step : {3, 6, 9}) save(run, step, 3);
  }
  RunFolder run(folder_);
  save(run, 5, 3);
  EXPECT_EQ(names(), "checkpoint checkpoint-3 ");
}

TEST_F(RunFolderTest, AFailedCheckpointLeavesTheOldOne) {
  RunFolder run(folder_);
  save(run, 3, 1);
  EXPECT_THROW(run.save_checkpoint(6, 1,
                                   [](const fs::path& folder) {
                                     write_file(folder / "state.json", "half");
                                     throw Error(ErrorKind::system, "full");
                                   }),
               Error);
  EXPECT_EQ(names(), "checkpoint ");
  EXPECT_EQ(read_file(folder_ / "checkpoint/state.json"), "3");
}

TEST_F(RunFolderTest, LinksToFoldersAreNotTakenOver) {
  const fs::path other = folder_ / "other";
  fs::create_directories(other);
  fs::create_directories(folder_ / "foreign");
  write_file(folder_ / "foreign/secret", "theirs");
  write_file(other / "log.jsonl", "{}\n");
  fs::create_directories(other / "checkpoint");
  write_file(other / "checkpoint/state.json", "3");
  RunFolder run(folder_ / "new");
  for (const char* name : {"model-best", "logs"}) {
    fs::create_directory_symlink("../foreign", other / name);
    try {
      run.take_over(other, other / "checkpoint", 3, {"logs"});
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_EQ(error.message(),
                (other / name).string() +
                    " is a link, and is not followed; put the folder itself in its place");
    }
    EXPECT_TRUE(fs::is_empty(run.path())) << name;
    fs::remove(other / name);
  }
  run.take_over(other, other / "checkpoint", 3, {"logs"});
  EXPECT_EQ(read_file(run.path() / "log.jsonl"), "{}\n");
}

TEST_F(RunFolderTest, ASecondRunIsRefused) {
  const RunFolder run(folder_);
  try {
    const RunFolder second(folder_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("another run"), std::string::npos);
  }
}

TEST_F(RunFolderTest, TellsWhetherARunWritesThere) {
  EXPECT_FALSE(is_written_now(folder_));
  {
    const RunFolder run(folder_);
    EXPECT_TRUE(is_written_now(folder_));
  }
  EXPECT_FALSE(is_written_now(folder_));
  EXPECT_FALSE(is_written_now(folder_ / "nowhere"));
}

TEST_F(RunFolderTest, BeginningAnewTakesAwayWhatCouldBeResumedAndNoPipeline) {
  RunFolder run(folder_);
  for (const int step : {3, 6}) save(run, step, 2);
  fs::create_directories(folder_ / "model-best");
  write_file(folder_ / "config.cfg", "");
  write_file(folder_ / "run.json", "{}");
  run.begin_anew();
  EXPECT_EQ(names(), "model-best ");
}

TEST_F(RunFolderTest, NothingElseIsTakenForACheckpoint) {
  RunFolder run(folder_);
  save(run, 3, 2);
  // A file, a name that ends in a number where a step would stand, one with more than a number.
  write_file(folder_ / "checkpoint-1", "");
  fs::create_directories(folder_ / "my-results-2");
  fs::create_directories(folder_ / "checkpoint-2b");
  save(run, 6, 1);
  EXPECT_EQ(names(), "checkpoint checkpoint-1 checkpoint-2b my-results-2 ");
  run.begin_anew();
  EXPECT_EQ(names(), "checkpoint-1 checkpoint-2b my-results-2 ");
}

TEST_F(RunFolderTest, FoldersOfOthersUnderItsNamesAreRefusedBeforeAnythingIsRemoved) {
  for (const char* name : {"run.json", "config.cfg", "checkpoint", "diverged", "model-best"}) {
    fs::remove_all(folder_);
    RunFolder run(folder_);
    if (std::string(name) != "checkpoint") save(run, 3, 1);
    write_file(folder_ / "log.jsonl", "");
    fs::create_directories(folder_ / name);
    write_file(folder_ / name / "precious", "mine");
    const std::string before = names();
    EXPECT_THROW(run.begin_anew(), Error) << name;
    EXPECT_EQ(names(), before) << name;
    EXPECT_EQ(read_file(folder_ / name / "precious"), "mine");
  }
}

// Other programs call their own so too.
TEST_F(RunFolderTest, ARunOfTheOtherKindIsKept) {
  RunFolder run(folder_);
  fs::create_directories(folder_ / "checkpoint");
  write_file(folder_ / "checkpoint/state.json", "3");
  write_file(folder_ / "checkpoint/model", "of a pretraining");
  EXPECT_THROW(run.begin_anew(RunKind::training), Error);
  EXPECT_TRUE(fs::exists(folder_ / "checkpoint/model"));
  write_file(folder_ / "run.json", "{}");
  EXPECT_THROW(run.begin_anew(RunKind::pretraining), Error);
  EXPECT_TRUE(fs::exists(folder_ / "run.json"));
  run.begin_anew(RunKind::training);
  EXPECT_FALSE(fs::exists(folder_ / "checkpoint"));
}

TEST_F(RunFolderTest, CheckpointsOfOthersStay) {
  RunFolder run(folder_);
  fs::create_directories(folder_ / "checkpoint-500");
  write_file(folder_ / "checkpoint-500/pytorch_model.bin", "mine");
  for (const int step : {3, 6}) save(run, step, 1);
  run.begin_anew();
  EXPECT_EQ(read_file(folder_ / "checkpoint-500/pytorch_model.bin"), "mine");
}

TEST_F(RunFolderTest, AFolderThatIsGoneIsAnErrorAndNotMadeAgain) {
  RunFolder run(folder_);
  save(run, 3, 1);
  fs::rename(folder_, folder_.string() + "-moved");
  EXPECT_THROW(save(run, 6, 1), Error);
  EXPECT_FALSE(fs::exists(folder_));
  EXPECT_EQ(read_file(folder_.string() + "-moved/checkpoint/state.json"), "3");
  fs::remove_all(folder_.string() + "-moved");
}

// Any error of the system may be the first sign of it.
TEST_F(RunFolderTest, AFolderThatGoesDuringACheckpointIsNamedAsGone) {
  RunFolder run(folder_);
  const auto break_off = [&](const fs::path&) {
    fs::remove_all(folder_);
    throw fs::filesystem_error("no such folder", std::error_code());
  };
  try {
    run.save_checkpoint(3, 1, break_off);
    FAIL() << "the folder is gone";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("was deleted or moved while the run was going"));
  }
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(RunFolderTest, TakesLogBestPipelineAndCheckpointOfAnotherFolder) {
  const fs::path other = folder_.string() + "-other";
  fs::create_directories(other / "model-best/ner");
  fs::create_directories(other / "checkpoint-3");
  write_file(other / "model-best/ner/model", "later");
  write_file(other / "log.jsonl", "line\n");
  write_file(other / "checkpoint-3/state.json", "3");
  // Of an earlier version, which kept no best pipeline in checkpoints.
  RunFolder(folder_).take_over(other, other / "checkpoint-3", 3);
  EXPECT_EQ(read_file(folder_ / "model-best/ner/model"), "later");
  EXPECT_EQ(read_file(folder_ / "log.jsonl"), "line\n");
  EXPECT_EQ(read_file(folder_ / "checkpoint/state.json"), "3");
  write_pipeline(other / "checkpoint-3/best", "of then");
  RunFolder(folder_).take_over(other, other / "checkpoint-3", 3);
  EXPECT_EQ(read_file(folder_ / "model-best/model"), "of then");
  fs::remove_all(other);
}

TEST_F(RunFolderTest, TheBestPipelineOfACheckpointTakesSpaceOnlyOnceThereIsAnother) {
  RunFolder run(folder_);
  write_pipeline(folder_ / "model-best", "best of 3");
  const auto save_with_best = [&](std::int64_t step) {
    run.save_checkpoint(step, 9, [&](const fs::path& folder) {
      run.keep_best(folder);
      write_file(folder / "state.json", std::to_string(step));
    });
  };
  save_with_best(3);
  const fs::path kept = folder_ / "checkpoint/best/model", best = folder_ / "model-best/model";
  EXPECT_TRUE(fs::equivalent(kept, best));
  save_with_best(6);
  EXPECT_EQ(fs::hard_link_count(best), 3u);  // that of model-best, and one in each checkpoint
  // Another best pipeline leaves those of the checkpoints as they were.
  fs::remove_all(folder_ / "model-best");
  write_pipeline(folder_ / "model-best", "best of 9");
  EXPECT_EQ(read_file(kept), "best of 3");
  EXPECT_EQ(fs::hard_link_count(kept), 2u);
  save_with_best(9);
  EXPECT_EQ(read_file(folder_ / "checkpoint/best/model"), "best of 9");
  EXPECT_EQ(read_file(folder_ / "checkpoint-6/best/model"), "best of 3");
}

TEST_F(RunFolderTest, GoesBackToAnOlderCheckpointAndItsBestPipeline) {
  RunFolder run(folder_);
  const auto save_with_best = [&](std::int64_t step) {
    fs::remove_all(folder_ / "model-best");
    write_pipeline(folder_ / "model-best", "best of " + std::to_string(step));
    run.save_checkpoint(step, 9, [&](const fs::path& folder) {
      run.keep_best(folder);
      write_file(folder / "state.json", std::to_string(step));
    });
  };
  for (const std::int64_t step : {3, 6, 9, 12}) save_with_best(step);
  run.go_on_from(folder_ / "checkpoint-6", 6);
  EXPECT_EQ(names(), "checkpoint checkpoint-3 checkpoint-6 model-best ");
  EXPECT_EQ(read_file(folder_ / "checkpoint/state.json"), "6");
  EXPECT_EQ(read_file(folder_ / "model-best/model"), "best of 6");
  save_with_best(7);
  EXPECT_EQ(names(), "checkpoint checkpoint-3 checkpoint-6 model-best ");
  EXPECT_EQ(read_file(folder_ / "checkpoint/best/model"), "best of 7");
  EXPECT_EQ(read_file(folder_ / "checkpoint-6/best/model"), "best of 6");
  EXPECT_EQ(read_file(folder_ / "checkpoint-3/best/model"), "best of 3");
  // One that was saved after the checkpoint, in a step that comes again.
  fs::remove_all(folder_ / "model-best");
  write_pipeline(folder_ / "model-best", "best of 8");
  run.go_on_from(folder_ / "checkpoint", 7);
  EXPECT_EQ(read_file(folder_ / "model-best/model"), "best of 7");
  EXPECT_EQ(read_file(folder_ / "checkpoint/best/model"), "best of 7");
}

TEST_F(RunFolderTest, ADamagedBestPipelineIsNotTakenAndNothingChanges) {
  RunFolder run(folder_);
  fs::create_directories(folder_ / "checkpoint-3");
  write_file(folder_ / "checkpoint-3/state.json", "3");
  write_pipeline(folder_ / "checkpoint-3/best", "of then");
  write_file(folder_ / "checkpoint-3/best/model", "changed");
  write_pipeline(folder_ / "model-best", "later");
  try {
    run.go_on_from(folder_ / "checkpoint-3", 3);
    ADD_FAILURE() << "it is damaged";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("best/model: changed"));
  }
  EXPECT_EQ(names(), "checkpoint-3 model-best ");
  EXPECT_EQ(read_file(folder_ / "model-best/model"), "later");
}

TEST_F(RunFolderTest, ABestPipelineThatIsALinkIsNotTaken) {
  RunFolder run(folder_);
  fs::create_directories(folder_ / "checkpoint-3");
  fs::create_directories(folder_ / "foreign");
  fs::create_directory_symlink("../foreign", folder_ / "checkpoint-3/best");
  EXPECT_THROW(run.go_on_from(folder_ / "checkpoint-3", 3), Error);
  EXPECT_EQ(names(), "checkpoint-3 foreign ");
}

TEST_F(RunFolderTest, AFileInItsPlaceIsNamed) {
  fs::create_directories(folder_.parent_path());
  write_file(folder_, "");
  EXPECT_THROW(RunFolder run(folder_), Error);
}

// Somebody who may write to the folder around the output can put a link in its place.
TEST_F(RunFolderTest, FilesGoToTheFolderItselfWhateverTakesItsName) {
  const fs::path far = folder_.string() + "-far";
  const fs::path moved = folder_.string() + "-moved";
  fs::remove_all(far);
  fs::remove_all(moved);
  fs::create_directories(far);
  {
    RunFolder run(folder_ / "");
    fs::rename(folder_, moved);
    fs::create_directory_symlink(far, folder_);
    write_file(folder_ / "config.cfg", "of the run");
    open_below(folder_, "logs/log.jsonl", Growth::anew);
    replace_below(folder_, "logs/summary.json", "{}");
    EXPECT_THROW(save(run, 3, 1), Error);
  }
  EXPECT_TRUE(fs::is_empty(far));
  EXPECT_EQ(read_file(moved / "config.cfg"), "of the run");
  EXPECT_TRUE(fs::exists(moved / "logs/log.jsonl"));
  EXPECT_EQ(read_file(moved / "logs/summary.json"), "{}");
  write_file(folder_ / "later", "");  // the run has ended: the name counts again
  EXPECT_TRUE(fs::exists(far / "later"));
  for (const fs::path& made : {folder_, far, moved}) fs::remove_all(made);
}

TEST_F(RunFolderTest, OneThatWasMadeForNothingIsRemoved) {
  fs::remove_all(folder_.string() + "-around");
  const fs::path inside = folder_.string() + "-around/out";
  { RunFolder run(inside); }
  EXPECT_FALSE(fs::exists(inside.parent_path()));
  fs::create_directories(inside);
  { RunFolder run(inside); }
  EXPECT_TRUE(fs::exists(inside));
  fs::remove_all(inside.parent_path());
}

}  // namespace
}  // namespace weft
