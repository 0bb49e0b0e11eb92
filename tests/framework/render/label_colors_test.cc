// Colours of labels: known ones, new ones in a fixed order, and those that are set.
#include "framework/render/label_colors.h"

#include <set>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

TEST(LabelColors, LabelsAreComparedInCapitals) {
  LabelColors colors;
  EXPECT_EQ(colors.of("org"), "#7aecec");
  EXPECT_EQ(colors.of("ORG"), "#7aecec");
  EXPECT_EQ(colors.of("disease"), colors.of("Disease"));
}

TEST(LabelColors, TheOrderOfNewLabelsGivesTheColours) {
  LabelColors one, two;
  EXPECT_EQ(one.of("A"), two.of("X"));
  EXPECT_EQ(one.of("B"), two.of("Y"));
  EXPECT_NE(one.of("A"), one.of("B"));
  EXPECT_EQ(one.of("A"), two.of("X"));  // it keeps its colour
}

TEST(LabelColors, TheListStartsAgainAndEnds) {
  LabelColors colors;
  std::set<std::string> used;
  for (int i = 0; i < 12; ++i) used.insert(colors.of("L" + std::to_string(i)));
  EXPECT_EQ(used.size(), 12U);
  EXPECT_EQ(colors.of("L12"), colors.of("L0"));
  // A hostile file with any number of labels does not fill memory.
  for (int i = 13; i < 10'000; ++i) colors.of("L" + std::to_string(i));
  EXPECT_EQ(colors.of("one more"), "#ddd");
  EXPECT_EQ(colors.of("another"), "#ddd");
}

TEST(LabelColors, ThoseThatAreSetAreHexadecimal) {
  LabelColors colors;
  colors.set("org", "#AbC");
  EXPECT_EQ(colors.of("ORG"), "#AbC");
  for (const char* bad :
       {"red", "#12", "#1234", "#12345g", "1234567", "#12345678", "", "#fff;background:url(x)"}) {
    EXPECT_THROW(colors.set("ORG", bad), Error) << bad;
  }
  EXPECT_EQ(colors.of("ORG"), "#AbC");
}

}  // namespace
}  // namespace weft
