// Standard output and standard error that both take nothing: the run's folder says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

class FullOutput : public TrainingFolder {};

TEST_F(FullOutput, TheRunIsSavedAndItsFolderSaysWhatFailed) {
  EXPECT_EQ(run_child({"train", path("ner.cfg"), "--output", path("out")}, folder_, "/dev/full"),
            1);
  EXPECT_TRUE(fs::exists(path("out/model-last/meta.json")));
  const auto says = ::testing::HasSubstr("standard output could not be written to");
  EXPECT_THAT(read_text(path("out/run.json")), says);
  const Outcome info = run_weft({"info", path("out")});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_THAT(info.out, says);
}

}  // namespace
}  // namespace weft::testing_tools
