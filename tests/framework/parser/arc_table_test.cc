#include "framework/parser/arc_table.h"

#include <string>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

std::string names(const ArcTable& table) {
  std::string text;
  for (int k = 0; k < table.size(); ++k) text += (k == 0 ? "" : " ") + table.name(k);
  return text;
}

ArcCounts counted() {
  ArcCounts counts;
  counts.add({{1, 1, 1, 4, 4}, {"nsubj", "root", "punct", "nsubj", "ROOT"}});
  return counts;
}

TEST(ArcTable, CountsTheMovesThatBuildATree) {
  EXPECT_EQ(names(counted().table(1, false)), "S D L-nsubj L-dep R-punct R-dep B-ROOT");
  EXPECT_EQ(counted().table(1, false).to_json(),
            R"({"0":{"":3},"1":{"":2},"2":{"nsubj":2,"dep":0},"3":{"punct":1,"dep":0},)"
            R"("4":{"ROOT":2}})");
}

TEST(ArcTable, RareMovesAreDroppedShiftAndReduceToo) {
  EXPECT_EQ(names(counted().table(3, false)), "S L-dep R-dep B-ROOT");
}

TEST(ArcTable, PartsOfWordsHaveALabelOfTheirOwn) {
  const ArcTable table = counted().table(1, true);
  EXPECT_EQ(names(table), "S D L-nsubj L-subtok L-dep R-punct R-subtok R-dep B-ROOT");
  StringStore strings;
  const auto actions = table.actions(strings);
  EXPECT_TRUE(actions[3].joins_subtokens);
  EXPECT_FALSE(actions[2].joins_subtokens);
}

TEST(ArcTable, AFileGivesTheSameClasses) {
  const ArcTable table = counted().table(1, false);
  EXPECT_EQ(ArcTable::from_bytes(table.to_bytes(), "moves").classes(), table.classes());
}

TEST(ArcTable, RefusesAMoveThatThereIsNot) {
  EXPECT_THROW(ArcTable::from_json(R"({"5":{"":1}})", "moves"), Error);
}

}  // namespace
}  // namespace weft
