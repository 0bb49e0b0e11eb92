#include "framework/io/mapped_file.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class MappedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_ = fs::path(testing::TempDir()) / ("mapped-file-" + std::to_string(::getpid()));
};

TEST_F(MappedFileTest, HasTheBytesOfTheFile) {
  std::string bytes(100'001, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  write_file(folder_ / "large", bytes);
  EXPECT_EQ(MappedFile(folder_ / "large").bytes(), bytes);
  EXPECT_EQ(read_file(folder_ / "large"), bytes);
  write_file(folder_ / "empty", "");
  EXPECT_EQ(MappedFile(folder_ / "empty").bytes(), "");
  EXPECT_EQ(read_file(folder_ / "empty"), "");
}

TEST_F(MappedFileTest, StaysAsItWasWhenTheFileIsReplaced) {
  write_file(folder_ / "file", "old bytes");
  const MappedFile mapped(folder_ / "file");
  write_file(folder_ / "file", "new");
  EXPECT_EQ(mapped.bytes(), "old bytes");
}

TEST_F(MappedFileTest, ReadsWhatCannotBeMapped) {
  // A file of the system whose size is said to be 0.
  EXPECT_FALSE(MappedFile("/proc/self/status").bytes().empty());
  EXPECT_NE(read_file("/proc/self/status").find("Pid:"), std::string::npos);
}

TEST_F(MappedFileTest, SaysWhatIsWrong) {
  const auto reason = [&](const fs::path& file) {
    try {
      const MappedFile mapped(file);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::system);
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(reason(folder_ / "missing").find("missing"), std::string::npos);
  EXPECT_NE(reason(folder_ / "missing").find("No such file"), std::string::npos);
  EXPECT_NE(reason(folder_).find("directory"), std::string::npos);
}

TEST_F(MappedFileTest, RefusesWhatIsTooLargeOrNoFile) {
  write_file(folder_ / "file", "12345");
  EXPECT_EQ(MappedFile(folder_ / "file", 5).bytes(), "12345");
  EXPECT_THROW(MappedFile(folder_ / "file", 4), Error);
  EXPECT_THROW(MappedFile("/dev/zero"), Error);
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_THROW(MappedFile(folder_ / "fifo"), Error);
}

}  // namespace
}  // namespace weft
