#include "framework/regex/category_runs.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

// Written down by the build, compared here with the library that is in the process.
TEST(CategoryRuns, SayWhatTheLibrarySays) {
  const auto category = reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, "utf8proc_category"));
  ASSERT_NE(category, nullptr);
  const auto runs = category_runs();
  ASSERT_FALSE(runs.empty());
  EXPECT_EQ(runs[0].first, 0u);
  std::size_t run = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (run + 1 < runs.size() && runs[run + 1].first == c) ++run;
    ASSERT_EQ(runs[run].category, category(static_cast<int>(c))) << static_cast<unsigned>(c);
  }
  EXPECT_EQ(run + 1, runs.size());
}

TEST(CategoryRuns, NeighboursDiffer) {
  const auto runs = category_runs();
  for (std::size_t i = 1; i < runs.size(); ++i) {
    EXPECT_LT(runs[i - 1].first, runs[i].first);
    EXPECT_NE(runs[i - 1].category, runs[i].category);
  }
}

}  // namespace
}  // namespace weft
