#include "tests/registry/broken_configs.h"

#include <gmock/gmock.h>

namespace weft {
namespace {

TEST(BrokenConfigsTest, ReadingReportsWhatEachFileSays) {
  int count = 0;
  for (const BrokenConfig& broken : broken_configs("")) {
    Problems problems;
    read_broken_config(broken, problems, true);
    EXPECT_THAT(shown_problems(broken, problems), testing::ElementsAreArray(broken.expected))
        << broken.path;
    EXPECT_FALSE(broken.expected.empty()) << broken.path;
    ++count;
  }
  EXPECT_GE(count, 35);
}

}  // namespace
}  // namespace weft
