#include "framework/regex/code_point_set.h"

#include <array>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using Range = CodePointSet::Range;

// All code points are asked for one by one, of the library that is in the process.
TEST(CodePointSet, CategoriesAreThoseOfTheLibrary) {
  const auto category =
      reinterpret_cast<const char* (*)(int)>(dlsym(RTLD_DEFAULT, "utf8proc_category_string"));
  ASSERT_NE(category, nullptr);
  const std::array<std::string, 6> names = {"Cn", "Lu", "Lo", "Cs", "Co", "Nd"};
  std::vector<CodePointSet> sets;
  for (const std::string& name : names) sets.push_back(CodePointSet::of_category(name));
  std::vector<std::size_t> place(sets.size());
  for (char32_t c = 0; c <= CodePointSet::kLast; ++c) {
    const std::string name = category(static_cast<int>(c));
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const auto& ranges = sets[i].ranges();
      while (place[i] < ranges.size() && ranges[place[i]].last < c) ++place[i];
      const bool here = place[i] < ranges.size() && ranges[place[i]].first <= c;
      ASSERT_EQ(here, name == names[i]) << static_cast<unsigned>(c);
    }
  }
}

TEST(CodePointSet, ACategoryIsTheSumOfItsParts) {
  CodePointSet letters;
  for (const char* part : {"Lu", "Ll", "Lt", "Lm", "Lo"}) {
    letters = letters | CodePointSet::of_category(part);
  }
  EXPECT_EQ(letters, CodePointSet::of_category("L"));
  EXPECT_THROW(CodePointSet::of_category("Q"), Error);
  EXPECT_THROW(CodePointSet::of_category(""), Error);
}

TEST(CodePointSet, TakesRangesInAnyOrder) {
  const CodePointSet set({{20, 30}, {1, 3}, {4, 5}, {25, 40}});
  EXPECT_EQ(set.ranges(), (std::vector<Range>{{1, 5}, {20, 40}}));
  EXPECT_EQ(set.size(), 26u);
  EXPECT_TRUE(set.contains(40));
  EXPECT_FALSE(set.contains(6));
}

TEST(CodePointSet, JoinsAndCuts) {
  const CodePointSet a({{1, 5}, {10, 20}}), b({{5, 12}, {21, 22}, {0x10FFFF, 0x10FFFF}});
  EXPECT_EQ((a | b).ranges(), (std::vector<Range>{{1, 22}, {0x10FFFF, 0x10FFFF}}));
  EXPECT_EQ((a & b).ranges(), (std::vector<Range>{{5, 5}, {10, 12}}));
  EXPECT_EQ((a - b).ranges(), (std::vector<Range>{{1, 4}, {13, 20}}));
  EXPECT_TRUE((a | a.complement()).is_all());
  EXPECT_EQ((a | CodePointSet()), a);
}

}  // namespace
}  // namespace weft
