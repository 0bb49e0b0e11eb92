#include "framework/training/run_folder_contents.h"

#include <filesystem>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace weft
