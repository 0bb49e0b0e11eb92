#include "framework/io/zip_archive.h"

#include <filesystem>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/io/zip_writer.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class ZipArchiveTest : public testing::Test {
 protected:
  ~ZipArchiveTest() override { fs::remove(file_); }

  std::string written() const {
    std::ostringstream out;
    ZipWriter zip(out);
    zip.add("empty.txt", "");
    zip.add("folder/many.txt", std::string(300'000, 'x') + "end");
    zip.finish();
    return out.str();
  }

  std::string member(const std::string& name) const {
    const InputFile file(file_);
    for (const ZipEntry& entry : read_zip_directory(file, "test")) {
      if (entry.name != name) continue;
      const auto member = open_zip_member(file, "test", entry);
      std::string text, piece(1000, '\0');
      while (const std::size_t got = member->read(piece.data(), piece.size())) {
        text.append(piece, 0, got);
      }
      return text;
    }
    return "there is no such member";
  }

  fs::path file_ = fs::temp_directory_path() / "weft_zip_archive_test.zip";
};

TEST_F(ZipArchiveTest, ReadsBackWhatWasWritten) {
  write_file(file_, written());
  EXPECT_EQ(member("empty.txt"), "");
  EXPECT_EQ(member("folder/many.txt"), std::string(300'000, 'x') + "end");
  EXPECT_EQ(written(), written());
}

TEST_F(ZipArchiveTest, RefusesDamage) {
  const std::string bytes = written();
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    write_file(file_, bytes.substr(0, size));
    EXPECT_THROW(member("folder/many.txt"), Error) << size;
  }
  std::string other = bytes;
  other[other.find("folder/many.txt") + 40] ^= 1;  // in the deflated bytes
  write_file(file_, other);
  EXPECT_THROW(member("folder/many.txt"), Error);
}

}  // namespace
}  // namespace weft
