#include "framework/io/temporary_folder.h"

#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

class TemporaryFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* set = std::getenv("TMPDIR")) before_ = set;
  }
  void TearDown() override {
    before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1);
  }
  std::string before_;
};

TEST_F(TemporaryFolderTest, IsTheOneThatIsSet) {
  ::setenv("TMPDIR", "/", 1);
  EXPECT_EQ(temporary_folder(), "/");
  for (const char* unset : {"", "/tmp"}) {
    ::setenv("TMPDIR", unset, 1);
    EXPECT_EQ(temporary_folder(), "/tmp");
  }
  ::unsetenv("TMPDIR");
  EXPECT_EQ(temporary_folder(), "/tmp");
}

TEST_F(TemporaryFolderTest, OneThatIsNotThereIsNamed) {
  ::setenv("TMPDIR", "/nonexistent/folder", 1);
  EXPECT_THAT([] { temporary_folder(); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("/nonexistent/folder")));
}

}  // namespace
}  // namespace weft
