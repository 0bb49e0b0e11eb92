#include "framework/io/open_output.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "framework/io/growing_file.h"
#include "framework/io/same_file.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OpenOutputTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write_file(folder_ / "foreign", "theirs");
  }
  std::string refusal(const std::function<void()>& write) const {
    try {
      write();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::system);
      return error.what();
    }
    return "none";
  }
  fs::path folder_;
};

TEST_F(OpenOutputTest, ALinkIsReplacedAndNotFollowed) {
  for (const char* to : {"foreign", "nowhere", "loop", ".", "/dev/null", "/dev/full"}) {
    fs::remove_all(folder_ / "loop");
    fs::create_symlink(to, folder_ / "loop");
    write_file(folder_ / "loop", "ours");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder_ / "loop"))) << to;
    EXPECT_EQ(read_file(folder_ / "loop"), "ours") << to;
    EXPECT_EQ(read_file(folder_ / "foreign"), "theirs") << to;
  }
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

// As `command >&-` leaves it. A file must not take the place of the link, which root could do.
TEST_F(OpenOutputTest, AStreamThatIsClosedIsAnError) {
  if (!fs::is_symlink("/dev/stdout")) GTEST_SKIP() << "/dev/stdout is no link here";
  std::fflush(stdout);
  const int kept = ::dup(STDOUT_FILENO);
  ::close(STDOUT_FILENO);
  const std::string why = refusal([] { open_if_no_file("/dev/stdout"); });
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  EXPECT_THAT(why, HasSubstr("cannot write /dev/stdout: Bad file descriptor"));
}

TEST_F(OpenOutputTest, ADeviceStaysOne) {
  write_file("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(refusal([] { write_file("/dev/full", "x"); }), HasSubstr("No space left"));
}

TEST_F(OpenOutputTest, WhatIsOpenIsWrittenWhereItStands) {
  const Descriptor opened(
      ::open((folder_ / "mine").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  ASSERT_EQ(::write(opened.get(), "one ", 4), 4);
  write_file("/dev/fd/" + std::to_string(opened.get()), "two ");
  write_file("/proc/self/fd/" + std::to_string(opened.get()), "three");
  EXPECT_EQ(read_file(folder_ / "mine"), "one two three");
  EXPECT_TRUE(fs::is_symlink("/dev/stdout"));
  write_file("/dev/stdout", "");
  EXPECT_TRUE(fs::is_symlink("/dev/stdout"));
}

TEST_F(OpenOutputTest, AFifoGetsTheBytes) {
  const fs::path fifo = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string got(100, '\0');
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const Descriptor opened(::open(fifo.c_str(), O_RDONLY));
    std::size_t size = 0;
    while (const ssize_t piece = ::read(opened.get(), got.data() + size, got.size() - size)) {
      size += static_cast<std::size_t>(piece);
    }
    got.resize(size);
  });
  {
    AtomicFile output(fifo);
    output.stream() << "through " << 1 << " pipe";
    output.commit();
  }
  reader.join();
  EXPECT_EQ(got, "through 1 pipe");
  EXPECT_TRUE(fs::is_fifo(fifo));
}

TEST_F(OpenOutputTest, AFifoWithoutAReaderIsAnErrorAfterAWhile) {
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_THAT(refusal([&] { write_file(folder_ / "fifo", "x"); }), HasSubstr("nobody reads"));
}

TEST_F(OpenOutputTest, AFolderIsRefusedBeforeAnythingIsWritten) {
  EXPECT_THAT(refusal([&] { AtomicFile output(folder_); }), HasSubstr("Is a directory"));
  EXPECT_THAT(refusal([&] { AtomicFile output(folder_ / ""); }), HasSubstr("Is a directory"));
}

TEST_F(OpenOutputTest, ALogFollowsNoLink) {
  for (const char* name : {"foreign", "nowhere"}) {
    fs::create_symlink(name, folder_ / "log");
    EXPECT_THAT(refusal([&] { open_growing(folder_ / "log", Growth::go_on); }), HasSubstr("link"));
    const Descriptor log = open_growing(folder_ / "log", Growth::anew);
    ASSERT_EQ(::write(log.get(), "ours", 4), 4);
    EXPECT_EQ(read_file(folder_ / "foreign"), "theirs");
    EXPECT_FALSE(fs::is_symlink(folder_ / "log"));
    fs::remove(folder_ / "log");
  }
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

TEST_F(OpenOutputTest, ALogThatBeginsAnewLeavesOtherNamesOfTheFileAlone) {
  fs::create_hard_link(folder_ / "foreign", folder_ / "log");
  static_cast<void>(open_growing(folder_ / "log", Growth::anew));
  EXPECT_EQ(read_file(folder_ / "foreign"), "theirs");
  EXPECT_EQ(read_file(folder_ / "log"), "");
}

TEST_F(OpenOutputTest, ALogGoesOnBehindItsLines) {
  for (const Growth growth : {Growth::anew, Growth::go_on, Growth::go_on}) {
    ASSERT_EQ(::write(open_growing(folder_ / "log", growth).get(), "x", 1), 1);
  }
  EXPECT_EQ(read_file(folder_ / "log"), "xxx");
  ASSERT_EQ(::write(open_growing(folder_ / "log", Growth::anew).get(), "y", 1), 1);
  EXPECT_EQ(read_file(folder_ / "log"), "y");
}

TEST_F(OpenOutputTest, AnInputIsKnownByEveryNameItHas) {
  const fs::path input = folder_ / "foreign";
  fs::create_symlink("foreign", folder_ / "link");
  fs::create_hard_link(input, folder_ / "hard");
  write_file(folder_ / "other", "x");
  for (const fs::path& same : {input, folder_ / "link", folder_ / "hard", folder_ / "./foreign"}) {
    EXPECT_TRUE(is_input_itself(input, same)) << same;
    EXPECT_TRUE(is_input_itself(same, input)) << same;
    EXPECT_TRUE(is_input_itself(folder_, same)) << same;
  }
  EXPECT_FALSE(is_input_itself(input, folder_ / "other"));
  EXPECT_FALSE(is_input_itself(input, folder_ / "absent"));
  EXPECT_TRUE(is_input_itself(folder_, folder_ / "absent"));
  EXPECT_TRUE(is_input_itself(folder_, folder_ / "absent" / "deeper"));
  EXPECT_TRUE(is_input_itself(folder_, folder_));
  EXPECT_FALSE(is_input_itself(folder_, folder_.string() + "x"));
  EXPECT_FALSE(is_input_itself(folder_, folder_ / ".." / "absent"));
  EXPECT_FALSE(is_input_itself("/dev/null", "/dev/null"));
}

}  // namespace
}  // namespace weft
