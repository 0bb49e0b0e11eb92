// Runs on a file system that has too little room: a small tmpfs, which only root can mount.
#include <cerrno>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include "tests/tools/child.h"
#include "tests/tools/program.h"
#include "tests/tools/small_runs.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A file system of so many bytes, for as long as it lives.
class SmallDisk {
 public:
  SmallDisk(fs::path place, std::size_t bytes) : place_(std::move(place)) {
    fs::create_directories(place_);
    const std::string size = "size=" + std::to_string(bytes);
    is_there_ = ::mount("tmpfs", place_.c_str(), "tmpfs", 0, size.c_str()) == 0;
  }
  ~SmallDisk() {
    if (is_there_) ::umount2(place_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool is_there() const { return is_there_; }

 private:
  fs::path place_;
  bool is_there_ = false;
};

std::size_t bytes_below(const fs::path& folder) {
  std::size_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    bytes += entry.is_regular_file() ? (entry.file_size() + 4095) / 4096 * 4096 : 4096;
  }
  return bytes;
}

class FullDiskTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = quick_folder();
    for (const SmallRun& run : write_small_runs(folder_)) {
      if (run.name == "words") run_ = run;
    }
    fs::create_directories(folder_ / "whole");
    ASSERT_EQ(train(folder_ / "whole"), 0) << read_text(told_);
    whole_ = results_of(folder_ / "whole/out");
  }
  void TearDown() override {
    if (!HasFailure()) fs::remove_all(folder_);
  }

  int train(const fs::path& work) {
    fs::remove(told_);
    return run_child({"train", run_.config.string(), "--output", "out", "--threads", "1"}, work,
                     told_);
  }

  // The run that is left on the full disk goes on elsewhere, to the end of the run that was left
  // alone.
  void check_rest(const fs::path& disk) {
    const fs::path rest = folder_ / "rest";
    fs::remove_all(rest);
    fs::copy(disk, rest, fs::copy_options::recursive);
    fs::remove(told_);
    ASSERT_EQ(
        run_child({"train", run_.config.string(), "--resume", "--output", "out"}, rest, told_), 0)
        << read_text(told_);
    EXPECT_EQ(difference(whole_, results_of(rest / "out")), "");
  }

  fs::path folder_;
  fs::path told_ = fs::path(testing::TempDir()) / "full-disk.txt";
  SmallRun run_;
  std::map<std::string, std::string> whole_;
};

TEST_F(FullDiskTest, EndsInAnErrorAndGoesOnWhereThereIsRoom) {
  const std::size_t enough = bytes_below(folder_ / "whole/out");
  int full = 0;
  for (int percent = 2; percent < 100; percent += 7) {
    const SmallDisk disk(folder_ / "disk", enough * static_cast<std::size_t>(percent) / 100);
    if (!disk.is_there()) {
      GTEST_SKIP() << "a file system cannot be mounted here: " << std::strerror(errno);
    }
    const int code = train(folder_ / "disk");
    ASSERT_EQ(code, 1) << percent << " %: " << read_text(told_);
    EXPECT_THAT(read_text(told_), HasSubstr("No space left on device")) << percent;
    check_rest(folder_ / "disk");
    if (HasFailure()) return;
    ++full;
  }
  EXPECT_EQ(full, 14);
}

}  // namespace
}  // namespace weft::testing_tools
