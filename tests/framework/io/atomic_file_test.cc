#include "framework/io/atomic_file.h"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "registry/error.h"

namespace weft {
namespace {
namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

TEST_F(AtomicFileTest, WritesAndReplaces) {
  const fs::path file = folder_ / "a.txt";
  write_file(file, "one");
  write_file(file, std::string_view("t\0o", 3));
  EXPECT_EQ(read_file(file), std::string("t\0o", 3));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, FailureNamesTheFileAndLeavesNothing) {
  const fs::path file = folder_ / "absent" / "a.txt";
  try {
    write_file(file, "one");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
  }
  EXPECT_EQ(entries(), 0u);
  EXPECT_THROW(read_file(folder_), Error);
  EXPECT_THROW(read_file(folder_ / "absent"), Error);
}

TEST_F(AtomicFileTest, FolderAppearsWhole) {
  const fs::path target = folder_ / "model";
  {
    AtomicFolder building(target);
    write_file(building.path() / "old", "1");
    EXPECT_FALSE(fs::exists(target));
    building.commit();
  }
  {
    AtomicFolder building(target / "");
    write_file(building.path() / "new", "2");
    building.commit();
  }
  EXPECT_TRUE(fs::exists(target / "new"));
  EXPECT_FALSE(fs::exists(target / "old"));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, AbandonedFolderIsRemoved) {
  const fs::path target = folder_ / "model";
  fs::create_directories(target);
  {
    AtomicFolder building(target);
    write_file(building.path() / "half", "1");
  }
  EXPECT_EQ(entries(), 1u);
  EXPECT_TRUE(fs::is_empty(target));
}

TEST_F(AtomicFileTest, TheReplacedFolderCanBeKept) {
  const fs::path target = folder_ / "model";
  for (const char* text : {"1", "2", "3"}) {
    AtomicFolder building(target);
    write_file(building.path() / "a", text);
    building.commit_and_keep(folder_ / "before");
  }
  EXPECT_EQ(read_file(target / "a"), "3");
  EXPECT_EQ(read_file(folder_ / "before/a"), "2");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(AtomicFileTest, FoldersUnderConstructionCanHoldOthers) {
  AtomicFolder outer(folder_ / "outer");
  AtomicFolder inner(outer.path() / "inner");
  write_file(inner.path() / "a", "1");
  inner.commit();
  outer.commit();
  EXPECT_EQ(read_file(folder_ / "outer/inner/a"), "1");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, LeftoversOfAKilledProcessAreClearedAway) {
  for (const char* name : {".model.new-12", ".lost.old-12", ".model.old-12", "model", ".mine",
                           ".a.new-", ".b.new-x", ".new-1"}) {
    fs::create_directories(folder_ / name);
    write_file(folder_ / name / "name", name);
  }
  clear_leftovers(folder_);
  EXPECT_EQ(read_file(folder_ / "model/name"), "model");
  // The old version was all there was of this one.
  EXPECT_EQ(read_file(folder_ / "lost/name"), ".lost.old-12");
  EXPECT_FALSE(fs::exists(folder_ / ".model.new-12"));
  EXPECT_EQ(entries(), 6u);
}

TEST_F(AtomicFileTest, CopiesAllBelowAFolder) {
  fs::create_directories(folder_ / "from/deep/empty");
  fs::create_directories(folder_ / "to");
  write_file(folder_ / "from/a", std::string(1'000'000, 'x'));
  write_file(folder_ / "from/deep/b", "");
  copy_files(folder_ / "from", folder_ / "to");
  EXPECT_EQ(read_file(folder_ / "to/a").size(), 1'000'000u);
  EXPECT_EQ(read_file(folder_ / "to/deep/b"), "");
  EXPECT_TRUE(fs::is_directory(folder_ / "to/deep/empty"));
}

TEST_F(AtomicFileTest, ACopyThatFailsNamesTheFileAndTheReason) {
  fs::create_directories(folder_ / "from");
  write_file(folder_ / "from/a", "1");
  try {
    copy_files(folder_ / "from", folder_ / "absent");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_NE(std::string(error.what()).find("absent/a: No such file"), std::string::npos);
  }
}

}  // namespace
}  // namespace weft
