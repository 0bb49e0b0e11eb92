#include "framework/io/file_sink.h"

#include <cerrno>
#include <ostream>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "framework/io/descriptor.h"

namespace weft {
namespace {

std::filesystem::path file() {
  return std::filesystem::path(testing::TempDir()) / ("file-sink-" + std::to_string(::getpid()));
}

TEST(FileSinkTest, WritesWhatIsLargerThanItsBuffer) {
  std::string expected;
  {
    const Descriptor opened(::open(file().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666));
    FileSink sink(opened.get());
    std::ostream stream(&sink);
    for (int i = 0; i < 50'000; ++i) {
      stream << i << '\n';
      expected += std::to_string(i) + "\n";
    }
    const std::string large(200'000, 'x');
    stream << large;
    expected += large;
    EXPECT_TRUE(stream.good());
    EXPECT_EQ(sink.flush(), 0);
  }
  EXPECT_EQ(read_file(file()), expected);
  std::filesystem::remove(file());
}

TEST(FileSinkTest, KeepsTheReasonOfTheFirstFailure) {
  const Descriptor device(::open("/dev/full", O_WRONLY));
  FileSink full(device.get());
  std::ostream stream(&full);
  stream << std::string(1'000'000, 'x');
  EXPECT_FALSE(stream.good());
  EXPECT_EQ(full.error(), ENOSPC);
  EXPECT_EQ(full.flush(), ENOSPC);
}

TEST(FileSinkTest, AStreamThatIsFlushedTellsOfTheFailure) {
  const Descriptor device(::open("/dev/full", O_WRONLY));
  FileSink full(device.get());
  std::ostream stream(&full);
  stream << "little" << std::flush;
  EXPECT_FALSE(stream.good());
  EXPECT_EQ(full.error(), ENOSPC);
}

TEST(FileSinkTest, WhatIsBufferedFailsWhenItIsFlushed) {
  const Descriptor device(::open("/dev/full", O_WRONLY));
  FileSink full(device.get());
  std::ostream stream(&full);
  stream << "little";
  EXPECT_EQ(full.error(), 0);
  EXPECT_EQ(full.flush(), ENOSPC);
}

TEST(FileSinkTest, ADescriptorThatIsNotOpenIsAnError) {
  FileSink closed(-1);
  std::ostream stream(&closed);
  stream << "little";
  EXPECT_EQ(closed.flush(), EBADF);
}

TEST(FileSinkTest, AFlushThatFailsIsToldTheStream) {
  const Descriptor device(::open("/dev/full", O_WRONLY));
  FileSink full(device.get());
  std::ostream stream(&full);
  stream << "little" << std::flush;
  EXPECT_FALSE(stream.good());
  EXPECT_EQ(full.error(), ENOSPC);
}

}  // namespace
}  // namespace weft
