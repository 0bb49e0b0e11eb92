#include "framework/io/held_folder.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class HeldFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / (std::string("held-folder-") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "foreign");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void turn_elsewhere(const fs::path& name) const {
    fs::rename(name, folder_ / "moved");
    fs::create_directory_symlink(folder_ / "foreign", name);
  }

  fs::path folder_;
};

TEST_F(HeldFolderTest, FilesLandInTheFolderThoughALinkHasItsName) {
  const fs::path out = folder_ / "out/";
  const HeldFolder held(out);
  turn_elsewhere(folder_ / "out");
  write_file(out / "one", "1");
  EXPECT_EQ(read_file(folder_ / "moved/one"), "1");
  EXPECT_TRUE(fs::is_empty(folder_ / "foreign"));
}

TEST_F(HeldFolderTest, AtItsEndNamesCountAgain) {
  { const HeldFolder held(folder_ / "foreign"); }
  turn_elsewhere(folder_ / "foreign");
  EXPECT_THROW(write_file(folder_ / "foreign/one", "1"), Error);  // a link to itself
  fs::remove(folder_ / "foreign");
  fs::create_directory(folder_ / "foreign");
  write_file(folder_ / "foreign/one", "1");
  EXPECT_EQ(read_file(folder_ / "foreign/one"), "1");
}

TEST_F(HeldFolderTest, AFolderThatStaysEmptyIsRemoved) {
  { const HeldFolder held(folder_ / "new/empty"); }
  EXPECT_FALSE(fs::exists(folder_ / "new"));
  {
    const HeldFolder held(folder_ / "new/used");
    write_file(folder_ / "new/used/one", "1");
  }
  EXPECT_TRUE(fs::exists(folder_ / "new/used/one"));
}

TEST_F(HeldFolderTest, AFileInItsPlaceIsNamed) {
  write_file(folder_ / "file", "1");
  try {
    const HeldFolder held(folder_ / "file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_THAT(error.what(), ::testing::HasSubstr((folder_ / "file").string()));
  }
}

}  // namespace
}  // namespace weft
