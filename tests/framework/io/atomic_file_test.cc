#include "framework/io/atomic_file.h"

#include <csignal>
#include <set>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "framework/io/construction.h"
#include "framework/io/folder_tree.h"
#include "registry/base/error.h"

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

// So many folders within each other, below one that may be there already.
void make_deep(const fs::path& folder, int levels) {
  fs::create_directories(folder);
  Descriptor at(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int level = 0; level < levels; ++level) {
    ::mkdirat(at.get(), "d", 0777);
    at = open_folder_in(at.get(), "d");
    ASSERT_TRUE(at);
  }
}

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

// Not as the folder is called meanwhile.
TEST_F(AtomicFileTest, FailureWithinAFolderNamesTheFileAsItWillBe) {
  const auto message_of = [](const fs::path& file) -> std::string {
    try {
      write_file(file, "one");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const AtomicFolder outer(folder_ / "run");
  const AtomicFolder inner(outer.path() / "model");
  const std::string reason = ": No such file or directory";
  EXPECT_EQ(message_of(outer.path() / "absent/a"),
            "cannot write " + (folder_ / "run/absent/a").string() + reason);
  EXPECT_EQ(message_of(inner.path() / "absent/a"),
            "cannot write " + (folder_ / "run/model/absent/a").string() + reason);
  EXPECT_EQ(message_of(folder_ / "absent/a"),
            "cannot write " + (folder_ / "absent/a").string() + reason);
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

// Another program may take the name while the folder is built.
TEST_F(AtomicFileTest, AFolderThatAppearsMeanwhileStays) {
  const fs::path target = folder_ / "model";
  for (const bool was_there : {false, true}) {
    if (was_there) fs::create_directories(target);
    AtomicFolder building(target);
    write_file(building.path() / "new", "2");
    fs::create_directories(target);
    write_file(target / "mine", "1");
    try {
      building.commit();
      FAIL() << "it is replaced";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("was put there while it was to be written"));
    }
    EXPECT_EQ(read_file(target / "mine"), "1");
    EXPECT_FALSE(fs::exists(target / "new"));
    fs::remove_all(target);
  }
}

TEST_F(AtomicFileTest, AFolderWithoutAnythingThatAppearsMeanwhileIsReplaced) {
  const fs::path target = folder_ / "model";
  AtomicFolder building(target);
  write_file(building.path() / "new", "2");
  fs::create_directories(target);
  building.commit();
  EXPECT_EQ(read_file(target / "new"), "2");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, AFileThatWasReplacedUnderItsTemporaryNameIsAnError) {
  const AtomicFolder folder(folder_ / "model");
  AtomicFile building(folder.path() / "a");
  building.stream() << "new";
  fs::path temporary;
  for (const auto& entry : fs::directory_iterator(folder.path())) temporary = entry.path();
  fs::remove(temporary);
  fs::create_symlink("elsewhere", temporary);
  try {
    building.commit();
    FAIL() << "the link has the name of the file";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("was deleted or replaced while it was written"));
  }
  EXPECT_FALSE(fs::exists(fs::symlink_status(folder.path() / "a")));
}

TEST_F(AtomicFileTest, NothingIsLeftOfAFileWhoseProcessIsKilled) {
  const Descriptor probe(::open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (!probe) GTEST_SKIP() << "the file system has no files without names";
  write_file(folder_ / "a", "old");
  const pid_t writer = ::fork();
  if (writer == 0) {
    AtomicFile building(folder_ / "a");
    building.stream() << std::string(1 << 20, 'x') << std::flush;
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(writer, &status, 0), writer);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(entries(), 1u);
  EXPECT_EQ(read_file(folder_ / "a"), "old");
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
                           ".a.new-", ".b.new-x", ".new-1", ".model.new-abcdefghijklmnop",
                           ".model.old-abcdefghijklmnop", ".gone.old-abcdefghijklmnop"}) {
    fs::create_directories(folder_ / name);
    write_file(folder_ / name / "name", name);
  }
  clear_leftovers(folder_);
  EXPECT_EQ(read_file(folder_ / "model/name"), "model");
  // The old version was all there was of this one.
  EXPECT_EQ(read_file(folder_ / "lost/name"), ".lost.old-12");
  EXPECT_EQ(read_file(folder_ / "gone/name"), ".gone.old-abcdefghijklmnop");
  EXPECT_FALSE(fs::exists(folder_ / ".model.new-12"));
  EXPECT_EQ(entries(), 7u);
}

TEST_F(AtomicFileTest, LinksAndPipesAreNoLeftovers) {
  fs::create_directories(folder_ / "run");
  fs::create_directories(folder_ / "foreign");
  write_file(folder_ / "foreign/file", "theirs");
  for (const char* name : {".a.new-1", ".a.old-1", ".a.new-abcdefghijklmnop"}) {
    fs::create_symlink("../foreign", folder_ / "run" / name);
  }
  ASSERT_EQ(::mkfifo((folder_ / "run/.b.old-1").c_str(), 0600), 0);
  // A link below a leftover is removed itself.
  fs::create_directories(folder_ / "run/.c.new-1");
  fs::create_symlink("../../foreign", folder_ / "run/.c.new-1/link");
  clear_leftovers(folder_ / "run");
  EXPECT_EQ(read_file(folder_ / "foreign/file"), "theirs");
  EXPECT_TRUE(fs::is_symlink(folder_ / "run/.a.old-1"));
  EXPECT_FALSE(fs::exists(folder_ / "run/a"));
  EXPECT_FALSE(fs::exists(folder_ / "run/b"));
  EXPECT_FALSE(fs::exists(folder_ / "run/.c.new-1"));
}

TEST_F(AtomicFileTest, TheNameOfAFileUnderConstructionCannotBeGuessed) {
  std::set<std::string> names;
  const AtomicFolder folder(folder_ / "model");
  for (int i = 0; i < 20; ++i) {
    AtomicFile building(folder.path() / "a");
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      names.insert(entry.path().filename().string());
      EXPECT_TRUE(entry.is_regular_file());
    }
  }
  EXPECT_EQ(names.size(), 20u);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_F(AtomicFileTest, AFolderUnderConstructionIsItsOwnersAlone) {
  const mode_t before = ::umask(027);
  {
    AtomicFolder building(folder_ / "model");
    EXPECT_EQ(fs::status(building.path()).permissions(), fs::perms::owner_all);
    building.commit();
  }
  ::umask(before);
  EXPECT_EQ(static_cast<unsigned>(fs::status(folder_ / "model").permissions()), 0750u);
}

TEST_F(AtomicFileTest, ALinkBelowAFolderUnderConstructionIsNotFollowed) {
  fs::create_directories(folder_ / "foreign");
  AtomicFolder building(folder_ / "model");
  fs::create_symlink("../foreign", building.path() / "vocab");
  EXPECT_THROW(write_file(building.path() / "vocab/strings.json", "x"), Error);
  EXPECT_THROW(make_folders(building.path() / "vocab/deep"), Error);
  EXPECT_THROW(make_folders(building.path() / "vocab"), Error);
  EXPECT_THROW(AtomicFolder(building.path() / "vocab/inner"), Error);
  EXPECT_THROW(building.commit(), Error);
  EXPECT_TRUE(fs::is_empty(folder_ / "foreign"));
}

TEST_F(AtomicFileTest, AFolderThatIsSwappedWhileItIsBuiltIsNotFollowed) {
  fs::create_directories(folder_ / "foreign");
  write_file(folder_ / "foreign/file", "theirs");
  {
    AtomicFolder building(folder_ / "model");
    make_folders(building.path() / "vocab");
    fs::rename(building.path(), folder_ / "moved");
    fs::create_symlink("foreign", building.path());
    write_file(building.path() / "file", "ours");
    write_file(building.path() / "vocab/strings.json", "ours");
    EXPECT_THROW(building.commit(), Error);
  }
  EXPECT_EQ(read_file(folder_ / "foreign/file"), "theirs");
  EXPECT_EQ(read_file(folder_ / "moved/vocab/strings.json"), "ours");
  EXPECT_FALSE(fs::exists(folder_ / "model"));
}

TEST_F(AtomicFileTest, ALinkInThePlaceOfAFolderIsReplaced) {
  fs::create_directories(folder_ / "foreign");
  write_file(folder_ / "foreign/file", "theirs");
  for (const char* to : {"foreign", "nowhere", "model"}) {
    remove_tree(folder_ / "model");
    fs::create_symlink(to, folder_ / "model");
    AtomicFolder building(folder_ / "model");
    write_file(building.path() / "a", "ours");
    building.commit();
    EXPECT_EQ(read_file(folder_ / "model/a"), "ours") << to;
    EXPECT_EQ(read_file(folder_ / "foreign/file"), "theirs") << to;
    EXPECT_EQ(entries(), 2u) << to;
  }
}

// Where the user may do all, a device would be gone.
TEST_F(AtomicFileTest, AFileInThePlaceOfAFolderIsKept) {
  write_file(folder_ / "file", "theirs");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const char* name : {"file", "pipe"}) {
    EXPECT_THROW(AtomicFolder(folder_ / name), Error) << name;
  }
  AtomicFolder building(folder_ / "late");
  write_file(folder_ / "late", "came while it was built");
  EXPECT_THROW(building.commit(), Error);
  EXPECT_EQ(read_file(folder_ / "file"), "theirs");
  EXPECT_EQ(read_file(folder_ / "late"), "came while it was built");
  EXPECT_TRUE(fs::is_fifo(folder_ / "pipe"));
}

TEST_F(AtomicFileTest, RemovingATreeFollowsNoLink) {
  fs::create_directories(folder_ / "foreign");
  write_file(folder_ / "foreign/state.json", "theirs");
  fs::create_symlink("foreign", folder_ / "checkpoint");
  remove_tree(folder_ / "checkpoint", "state.json");
  EXPECT_FALSE(fs::exists(fs::symlink_status(folder_ / "checkpoint")));
  EXPECT_EQ(read_file(folder_ / "foreign/state.json"), "theirs");
  fs::create_directories(folder_ / "tree/deep/deeper");
  fs::create_symlink("../../foreign", folder_ / "tree/deep/link");
  remove_tree(folder_ / "tree", "state.json");
  EXPECT_EQ(read_file(folder_ / "foreign/state.json"), "theirs");
  EXPECT_EQ(entries(), 1u);
  EXPECT_NO_THROW(remove_tree(folder_ / "absent"));
}

// Far beyond the descriptors that a process may have open.
TEST_F(AtomicFileTest, AFolderOfAnyDepthIsRemoved) {
  fs::create_directories(folder_ / "tree/0/file");
  write_file(folder_ / "tree/1", "of a name that a folder from below may get");
  make_deep(folder_ / "tree", 1500);
  remove_tree(folder_ / "tree");
  EXPECT_EQ(entries(), 0u);
}

TEST_F(AtomicFileTest, AFolderThatReplacesADeepOneLeavesNothingOfIt) {
  make_deep(folder_ / "target", 250);
  AtomicFolder building(folder_ / "target");
  building.commit();
  EXPECT_TRUE(fs::is_empty(folder_ / "target"));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(AtomicFileTest, FoldersThatLieTooDeepAreNotCopied) {
  fs::create_directories(folder_ / "from");
  make_deep(folder_ / "from", 64);
  fs::create_directories(folder_ / "to");
  copy_files(folder_ / "from", folder_ / "to");
  remove_tree(folder_ / "to");
  make_deep(folder_ / "from", 80);
  try {
    const AtomicFolder building(folder_ / "to");
    copy_files(folder_ / "from", building.path());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(error.message(), (folder_ / "from").string() +
                                   " has folders that lie more than 64 deep within each other");
  }
  EXPECT_EQ(entries(), 1u);
  remove_tree(folder_ / "from");
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

TEST_F(AtomicFileTest, WhatIsNoFileIsNotCopied) {
  fs::create_directories(folder_ / "to");
  fs::create_directories(folder_ / "from");
  ASSERT_EQ(::mkfifo((folder_ / "from/fifo").c_str(), 0600), 0);
  EXPECT_THROW(copy_files(folder_ / "from", folder_ / "to"), Error);
  fs::remove(folder_ / "from/fifo");
  for (const char* to : {"/dev/zero", "..", "loop"}) {
    fs::create_symlink(to, folder_ / "from/loop");
    EXPECT_THROW(copy_files(folder_ / "from", folder_ / "to"), Error) << to;
    fs::remove(folder_ / "from/loop");
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "to"));
}

TEST_F(AtomicFileTest, ALinkToAFileIsCopiedUnderItsOwnName) {
  fs::create_directories(folder_ / "from");
  fs::create_directories(folder_ / "to");
  write_file(folder_ / "shared", "text");
  fs::create_symlink("../shared", folder_ / "from/a");
  copy_files(folder_ / "from", folder_ / "to");
  EXPECT_EQ(read_file(folder_ / "to/a"), "text");
  EXPECT_FALSE(fs::is_symlink(folder_ / "to/a"));
  EXPECT_EQ(entries(), 3u);
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

TEST_F(AtomicFileTest, WhatHasTheTemporaryNameMeanwhileIsNotRemoved) {
  const AtomicFolder folder(folder_ / "model");
  fs::path temporary;
  {
    AtomicFile building(folder.path() / "a");
    for (const auto& entry : fs::directory_iterator(folder.path())) temporary = entry.path();
    fs::remove(temporary);
    fs::create_symlink("elsewhere", temporary);
    EXPECT_THROW(building.commit(), Error);
  }
  EXPECT_TRUE(fs::is_symlink(temporary));
}

}  // namespace
}  // namespace weft
