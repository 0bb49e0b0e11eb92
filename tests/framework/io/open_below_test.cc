#include "framework/io/open_below.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

TEST(PathBelow, TellsWhatLiesBelowAFolder) {
  EXPECT_EQ(path_below("/out", "/out/a/b"), "a/b");
  EXPECT_EQ(path_below("/out/", "/out/a"), "a");
  EXPECT_EQ(path_below("out", "out/./a//b"), "a/b");
  EXPECT_EQ(path_below("out", "out/a/../b"), "b");
  for (const char* path : {"/out", "/outer/a", "/", "/out/..", "/out/../a", "/a"}) {
    EXPECT_EQ(path_below("/out", path), "") << path;
  }
}

class OpenBelow : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "OpenBelow" /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  fs::path folder_;
};

TEST_F(OpenBelow, FoldersAreMade) {
  EXPECT_TRUE(open_below(folder_, "a/b/c", Growth::go_on));
  EXPECT_TRUE(fs::is_regular_file(folder_ / "a/b/c"));
}

TEST_F(OpenBelow, OnlyRegularFilesOfOneName) {
  fs::create_directories(folder_ / "folder");
  fs::create_symlink("nowhere", folder_ / "dangling");
  fs::create_symlink("folder", folder_ / "link");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  open_below(folder_, "file", Growth::go_on);
  fs::create_hard_link(folder_ / "file", folder_ / "same");
  for (const char* name : {"folder", "dangling", "link/x", "pipe", "file", "same", "file/x"}) {
    EXPECT_THROW(open_below(folder_, name, Growth::go_on), Error) << name;
  }
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
  EXPECT_THROW(open_below(folder_ / "absent", "x", Growth::go_on), Error);
}

TEST_F(OpenBelow, AFileThatBeginsAnewTakesThePlaceOfLinks) {
  write_file(folder_ / "far", "kept");
  fs::create_symlink("far", folder_ / "link");
  fs::create_hard_link(folder_ / "far", folder_ / "same");
  fs::create_directories(folder_ / "folder");
  for (const char* name : {"link", "same"}) {
    EXPECT_TRUE(open_below(folder_, name, Growth::anew)) << name;
    EXPECT_FALSE(fs::is_symlink(folder_ / name));
    EXPECT_EQ(read_file(folder_ / name), "") << name;
  }
  EXPECT_THROW(open_below(folder_, "folder", Growth::anew), Error);
  EXPECT_EQ(read_file(folder_ / "far"), "kept");
}

}  // namespace
}  // namespace weft
