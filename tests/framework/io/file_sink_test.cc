#include "framework/io/file_sink.h"

#include <cerrno>
#include <ostream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"

namespace weft {
namespace {

std::filesystem::path file() {
  return std::filesystem::path(testing::TempDir()) / ("file-sink-" + std::to_string(::getpid()));
}

TEST(FileSinkTest, WritesWhatIsLargerThanItsBuffer) {
  std::string expected;
  {
    FileSink sink(file());
    std::ostream stream(&sink);
    for (int i = 0; i < 50'000; ++i) {
      stream << i << '\n';
      expected += std::to_string(i) + "\n";
    }
    const std::string large(200'000, 'x');
    stream << large;
    expected += large;
    EXPECT_TRUE(stream.good());
    EXPECT_EQ(sink.close(true), 0);
  }
  EXPECT_EQ(read_file(file()), expected);
  std::filesystem::remove(file());
}

TEST(FileSinkTest, KeepsTheReasonOfTheFirstFailure) {
  FileSink full("/dev/full");
  std::ostream stream(&full);
  stream << std::string(1'000'000, 'x');
  EXPECT_FALSE(stream.good());
  EXPECT_EQ(full.error(), ENOSPC);
  EXPECT_EQ(full.close(false), ENOSPC);
}

TEST(FileSinkTest, WhatIsBufferedFailsWhenItIsClosed) {
  FileSink full("/dev/full");
  std::ostream stream(&full);
  stream << "little";
  EXPECT_EQ(full.error(), 0);
  EXPECT_EQ(full.close(false), ENOSPC);
}

TEST(FileSinkTest, AFileThatCannotBeMadeIsAnError) {
  FileSink absent(file() / "below" / "it");
  EXPECT_EQ(absent.error(), ENOENT);
  EXPECT_NE(absent.close(false), 0);
}

}  // namespace
}  // namespace weft
