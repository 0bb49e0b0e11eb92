#include "framework/training/run_folder_contents.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

TEST(RunFolderContents, ACheckpointThatIsALinkIsRefusedInItsOwnRunAlone) {
  const fs::path folder = fs::path(testing::TempDir()) / "RunFolderContents";
  fs::remove_all(folder);
  const fs::path run = folder / "run", far = folder / "far/checkpoint";
  fs::create_directories(run);
  fs::create_directories(far);
  fs::create_directory_symlink(far, run / "checkpoint");
  for (const fs::path& named : {run / "checkpoint", run / "checkpoint" / ""}) {
    EXPECT_THROW(refuse_linked_checkpoint(run, named), Error) << named;
  }
  EXPECT_NO_THROW(refuse_linked_checkpoint(run, far));
  EXPECT_NO_THROW(refuse_linked_checkpoint(folder / "new", run / "checkpoint"));
  fs::remove(run / "checkpoint");
  EXPECT_NO_THROW(refuse_linked_checkpoint(run, run / "checkpoint"));
}

class StartAgain : public testing::Test {
 protected:
  StartAgain() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  bool is_refused() const {
    try {
      refuse_to_start_again(folder_, "run.json");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return true;
    }
    return false;
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "StartAgain";
};

TEST_F(StartAgain, NetworksAreResultsAndOtherFilesAreNone) {
  write_file(folder_ / "model_notes.txt", "");
  write_file(folder_ / "words.bin", "");
  EXPECT_FALSE(is_refused());
  write_file(folder_ / "model0.bin", "");
  EXPECT_TRUE(is_refused());
}

// The manifest and the config go first; a log of one line may end within it.
TEST_F(StartAgain, AFolderThatWasBeingClearedIsNoObstacle) {
  fs::create_directories(folder_ / "model-last");
  EXPECT_TRUE(is_refused());
  for (const char* log : {"", "{\"epoch\": 0, \"ste", "{\"epoch\": 0}\n{\"epoch\": 1}\n"}) {
    write_file(folder_ / "log.jsonl", log);
    EXPECT_FALSE(is_refused()) << log;
  }
  for (const char* log : {"no log\nof a run\n", "{\"step\": 0}\n{\"step\": 1}\n", "[1]\n"}) {
    write_file(folder_ / "log.jsonl", log);
    EXPECT_TRUE(is_refused()) << log;
  }
}

}  // namespace
}  // namespace weft
