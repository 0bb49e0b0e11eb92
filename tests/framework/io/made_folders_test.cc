#include "framework/io/made_folders.h"

#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {
namespace fs = std::filesystem;

class MadeFoldersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / (std::string("made-folders-") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "there");
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(MadeFoldersTest, WhatIsEmptyAtTheEndIsRemoved) {
  {
    const MadeFolders made(folder_ / "there/one/two/");
    EXPECT_TRUE(fs::is_directory(folder_ / "there/one/two"));
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "there"));
  { const MadeFolders made(folder_ / "there"); }
  EXPECT_TRUE(fs::is_directory(folder_ / "there"));
}

TEST_F(MadeFoldersTest, WhatHasAFileStays) {
  {
    const MadeFolders made(folder_ / "there/one/two");
    std::ofstream(folder_ / "there/one/file") << "x";
  }
  EXPECT_TRUE(fs::exists(folder_ / "there/one/file"));
  EXPECT_FALSE(fs::exists(folder_ / "there/one/two"));
}

TEST_F(MadeFoldersTest, AnErrorHalfwayLeavesNothing) {
  fs::create_symlink("nowhere", folder_ / "there/dangling");
  try {
    const MadeFolders made(folder_ / "there/one/../dangling/two");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_NE(std::string(error.what()).find("dangling"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(folder_ / "there/one"));
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

TEST_F(MadeFoldersTest, MovedOnItIsStillRemovedOnce) {
  std::optional<MadeFolders> last;
  {
    MadeFolders made(folder_ / "there/one");
    last.emplace(std::move(made));
  }
  EXPECT_TRUE(fs::exists(folder_ / "there/one"));
  last.reset();
  EXPECT_FALSE(fs::exists(folder_ / "there/one"));
}

}  // namespace
}  // namespace weft
