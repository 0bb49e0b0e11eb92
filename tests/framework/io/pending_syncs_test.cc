#include "framework/io/pending_syncs.h"

#include <array>
#include <iterator>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PendingSyncsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / "pending-syncs";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Descriptor file(const std::string& name) const {
    const fs::path path = folder_ / name;
    if (!fs::exists(path)) write_file(path, name);
    return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  }
  // The end of a pipe, which no system syncs.
  static Descriptor pipe_end() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    const Descriptor writing(ends[1]);
    return Descriptor(ends[0]);
  }
  static auto open_descriptors() {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  }

  fs::path folder_;
  PendingSyncs pending_;
};

TEST_F(PendingSyncsTest, FewAreOpenAndNoneIsInTheEnd) {
  const auto before = open_descriptors();
  for (int i = 0; i < 1000; ++i) {
    pending_.add_file(file(std::to_string(i % 10)), "file");
    ASSERT_LE(open_descriptors(), before + 64);
  }
  pending_.add_folder(Descriptor(::open(folder_.c_str(), O_RDONLY | O_CLOEXEC)), folder_);
  pending_.flush();
  EXPECT_EQ(open_descriptors(), before);
  pending_.flush();  // nothing waits
}

TEST_F(PendingSyncsTest, NameTheFirstThatFailed) {
  for (int i = 0; i < 40; ++i) {
    const bool fails = i == 17 || i == 31;
    pending_.add_file(fails ? pipe_end() : file("good"), "entry-" + std::to_string(i));
  }
  try {
    pending_.flush();
    FAIL() << "a pipe counts as synced";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot sync entry-17: "));
  }
}

// A file system that cannot sync folders has nothing more to offer.
TEST_F(PendingSyncsTest, FoldersMayHaveNothingToSync) {
  pending_.add_folder(pipe_end(), "folder");
  EXPECT_NO_THROW(pending_.flush());
}

}  // namespace
}  // namespace weft
