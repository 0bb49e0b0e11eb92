#include "framework/text/chunk_filter.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

// All texts of up to four of these characters.
std::vector<std::string> short_texts() {
  std::vector<std::string> texts;
  std::vector<std::string> longest = {""};
  for (int length = 1; length <= 4; ++length) {
    std::vector<std::string> longer;
    for (const std::string& text : longest) {
      for (const char* c : {"'", "s", "m", "9", ".", "Ü", "-"}) longer.push_back(text + c);
    }
    texts.insert(texts.end(), longer.begin(), longer.end());
    longest = std::move(longer);
  }
  return texts;
}

TEST(ChunkFilter, PassesEveryTextThatASuffixCanMatchIn) {
  const std::vector<std::string> texts = short_texts();
  for (const char* source : {"'s$", "(?<=[0-9])(?:m|ms)$", "\\.\\.+$|(?<=Ü)s$", "m", "(?:'s?)+$",
                             "(?i)Ü$", "'m?(?=s)", "-$|'s$", "(?<=m)s?$", "s$|9"}) {
    const Pattern pattern("the pattern", source, Pattern::Use::search);
    ChunkFilter filter;
    filter.set_suffix(&pattern);
    MatchScratch scratch;
    for (const std::string& text : texts) {
      const auto found = pattern.find(scratch, text);
      if (!found || found->begin == found->end) continue;
      const ChunkScan scan = filter.scan(text, 0);
      EXPECT_TRUE(ChunkFilter::may_end_in_suffix(scan.last, scan.any)) << source << " in " << text;
      EXPECT_FALSE(ChunkFilter::is_plain(scan)) << source << " in " << text;
    }
  }
}

TEST(ChunkFilter, SparesTextsThatEndOtherwise) {
  const Pattern pattern("the pattern", "'s$|(?<=[0-9])km$", Pattern::Use::search);
  ChunkFilter filter;
  filter.set_suffix(&pattern);
  for (const char* plain : {"can't", "9th", "s", "km", "'", "9"}) {
    EXPECT_TRUE(ChunkFilter::is_plain(filter.scan(plain, 0))) << plain;
  }
  for (const char* other : {"it's", "9km", "km9s"}) {
    EXPECT_FALSE(ChunkFilter::is_plain(filter.scan(other, 0))) << other;
  }
}

TEST(ChunkFilter, TellsNothingOfAPatternThatMatchesAnywhere) {
  const Pattern pattern("the pattern", "'s", Pattern::Use::search);
  ChunkFilter filter;
  filter.set_suffix(&pattern);
  EXPECT_FALSE(ChunkFilter::is_plain(filter.scan("x'sy", 0)));
  EXPECT_TRUE(ChunkFilter::is_plain(filter.scan("xy", 0)));
}

TEST(ChunkFilter, FindsRunsOfOneKind) {
  const ChunkFilter filter;
  const std::string text = "ab \t Ü";
  EXPECT_EQ(filter.scan(text, 0).end, 2u);
  EXPECT_EQ(filter.scan(text, 2).end, 5u);
  EXPECT_EQ(filter.scan(text, 5).end, 7u);
}

}  // namespace
}  // namespace weft
