#include "framework/io/read_budget.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST(ReadBudget, GrowsWithTheFileUpToABound) {
  EXPECT_EQ(ReadBudget("f", 0).limit(), 192 * kMiB);
  EXPECT_EQ(ReadBudget("f", 1000).limit(), 192 * kMiB + 256000);
  EXPECT_EQ(ReadBudget("f", 10 * kMiB).limit(), 384 * kMiB);
  EXPECT_EQ(ReadBudget("f", ~std::uint64_t{0}).limit(), 384 * kMiB);
  EXPECT_EQ(ReadBudget("no such file").limit(), 192 * kMiB);
}

TEST(ReadBudget, SaysWhatIsTooLargeAndWhatRaisesTheLimit) {
  ReadBudget budget("some.spacy", 0);
  budget.charge(192 * kMiB, "the strings");
  budget.charge(0, "nothing");
  try {
    budget.charge(1, "the strings");
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("some.spacy"));
    EXPECT_THAT(error.what(), HasSubstr("the strings would take more memory than the 192 MiB"));
    EXPECT_THAT(error.what(), HasSubstr("WEFT_READ_MIB"));
  }
  EXPECT_EQ(budget.used(), 192 * kMiB);
  budget.release_to(0);
  budget.charge(1, "the strings");
  EXPECT_THROW(budget.charge(~std::uint64_t{0}, "more than numbers can count"), Error);
}

TEST(ReadBudget, TheEnvironmentSetsAnother) {
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "1", 1), 0);
  EXPECT_EQ(ReadBudget("f", 10 * kMiB).limit(), kMiB);
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "4000", 1), 0);
  EXPECT_EQ(ReadBudget("f", 0).limit(), 4000 * kMiB);
  for (const char* wrong : {"0", "-1", "much", "1G", "99999999999"}) {
    ASSERT_EQ(::setenv("WEFT_READ_MIB", wrong, 1), 0);
    EXPECT_THROW(ReadBudget("f", 0), Error) << wrong;
  }
  ASSERT_EQ(::unsetenv("WEFT_READ_MIB"), 0);
}

}  // namespace
}  // namespace weft
