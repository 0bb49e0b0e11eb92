#include "registry/base/input_file.h"

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace weft {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class InputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
    std::ofstream(folder_ / "file") << "some text";
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The message of the error, which has to be of that kind.
  static std::string refusal(const fs::path& file, ErrorKind kind,
                             Accepts accepts = Accepts::regular_files) {
    try {
      InputFile(file, accepts).read_all(1000);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
    return "none";
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("input-file-" + std::to_string(::getpid()));
};

TEST_F(InputFileTest, ReadsAFileAndWhatALinkLeadsTo) {
  fs::create_symlink("file", folder_ / "link");
  EXPECT_EQ(InputFile(folder_ / "link").read_all(9), "some text");
  InputFile file(folder_ / "file");
  EXPECT_EQ(file.size(), 9u);
  char bytes[5] = {};
  EXPECT_EQ(file.read_at(bytes, 4, 5), 4u);
  EXPECT_STREQ(bytes, "text");
  EXPECT_EQ(file.read_all(9), "some text");
  EXPECT_THAT(InputFile("/proc/self/status").read_all(1 << 20), HasSubstr("Pid:"));
}

TEST_F(InputFileTest, OnlyRegularFilesWhereOneIsAskedFor) {
  EXPECT_EQ(refusal(folder_ / "fifo", ErrorKind::data),
            (folder_ / "fifo").string() + " is a FIFO (named pipe), not a regular file");
  EXPECT_THAT(refusal("/dev/zero", ErrorKind::data), HasSubstr("/dev/zero is a device"));
  EXPECT_THAT(refusal("/dev/null", ErrorKind::data), HasSubstr("is a device"));
  EXPECT_THAT(refusal(folder_, ErrorKind::system), HasSubstr("Is a directory"));
  EXPECT_THAT(refusal(folder_ / "no", ErrorKind::system), HasSubstr("No such file"));
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_THAT(refusal(folder_ / "loop", ErrorKind::system), HasSubstr("symbolic links"));
  EXPECT_NO_THROW(require_regular(folder_ / "file"));
  EXPECT_THROW(require_regular(folder_ / "fifo"), Error);
}

TEST_F(InputFileTest, ASocketIsNamed) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (folder_ / "s").string();
  ASSERT_LT(name.size(), sizeof address.sun_path);
  name.copy(address.sun_path, name.size());
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_THAT(refusal(folder_ / "s", ErrorKind::data), HasSubstr("is a socket"));
  ::close(socket);
}

TEST_F(InputFileTest, AFileThatIsTooLargeIsRefusedBeforeItIsRead) {
  EXPECT_EQ(InputFile(folder_ / "file").read_all(9), "some text");
  EXPECT_THROW(InputFile(folder_ / "file").read_all(8), Error);
  EXPECT_THROW(InputFile(folder_ / "file").refuse_more_than(8), Error);
  EXPECT_THAT(refusal("/dev/zero", ErrorKind::data, Accepts::open_pipes),
              HasSubstr("more than 1000 bytes"));
}

TEST_F(InputFileTest, AFileOfHolesIsRefused) {
  for (const std::uintmax_t mebibytes : {65, 1024, 1 << 20}) {
    fs::resize_file(folder_ / "file", mebibytes << 20);
    EXPECT_THAT(refusal(folder_ / "file", ErrorKind::data), HasSubstr("holes")) << mebibytes;
  }
  fs::resize_file(folder_ / "file", 64 << 20);
  EXPECT_NO_THROW(InputFile(folder_ / "file"));
}

TEST_F(InputFileTest, AnOpenPipeIsReadAndAFifoOnlyWhereTheUserMayNameOne) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "piped", 5), 5);
  ::close(ends[1]);
  const fs::path pipe = "/dev/fd/" + std::to_string(ends[0]);
  EXPECT_EQ(InputFile(pipe, Accepts::open_pipes).read_all(10), "piped");
  EXPECT_THAT(refusal(pipe, ErrorKind::data), HasSubstr("FIFO"));
  ::close(ends[0]);
  EXPECT_THAT(refusal(folder_ / "fifo", ErrorKind::data, Accepts::open_pipes), HasSubstr("FIFO"));
}

// The writer opens the FIFO late and says nothing for a while: both are no end.
TEST_F(InputFileTest, AFifoWaitsForItsWriter) {
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    const int opened = ::open((folder_ / "fifo").c_str(), O_WRONLY);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    EXPECT_EQ(::write(opened, "text", 4), 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    EXPECT_EQ(::write(opened, "more", 4), 4);
    ::close(opened);
  });
  EXPECT_EQ(InputFile(folder_ / "fifo", Accepts::all_pipes).read_all(10), "textmore");
  writer.join();
}

TEST_F(InputFileTest, AFifoWithoutAWriterIsAnErrorAfterAWhile) {
  EXPECT_THAT(refusal(folder_ / "fifo", ErrorKind::data, Accepts::all_pipes),
              HasSubstr("nobody writes to"));
}

TEST_F(InputFileTest, WhetherSomethingIsThere) {
  EXPECT_TRUE(is_there(folder_ / "fifo"));
  EXPECT_FALSE(is_there(folder_ / "no"));
  EXPECT_FALSE(is_there(folder_ / "file/below"));
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_TRUE(is_there(folder_ / "loop"));
}

}  // namespace
}  // namespace weft
