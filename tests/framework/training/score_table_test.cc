#include "framework/training/score_table.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

TrainingInfo info_of(double ents_f) {
  TrainingInfo info;
  info.epoch = 2;
  info.step = 400;
  info.score = 0.1746;
  info.losses["ner"] = 1234.5678;
  info.other_scores.set("ents_f", ents_f);
  info.other_scores.set("ents_p", nullptr);
  info.words_per_second = 15023.4;
  return info;
}

TEST(ScoreTableTest, ColumnsAreRightAlignedUnderTheirTitles) {
  const ScoreTable table({"ner"}, {"ents_f", "ents_p", "a_very_long_score"});
  EXPECT_EQ(table.header(),
            "E    #       LOSS NER  ENTS_F  ENTS_P  A_VERY_LON...  SCORE   WPS    \n"
            "---  ------  --------  ------  ------  -------------  ------  -------\n");
  EXPECT_EQ(table.row(info_of(0.1746)),
            "  2     400   1234.57   17.46    0.00           0.00    0.17    15023\n");
}

TEST(ScoreTableTest, NumbersOfAnySizeKeepTheirColumns) {
  const ScoreTable table({"ner"}, {"ents_f"});
  TrainingInfo info = info_of(0.5);
  const std::string usual = table.row(info);
  for (const double size : {1e5, 123456.789, 9'999'999.9, 1e9, -1e9, 1.7e38, 1e300, 1e-300}) {
    info.losses["ner"] = size;
    info.score = size;
    info.words_per_second = size;
    info.other_scores.set("ents_f", size);
    EXPECT_EQ(table.row(info).size(), usual.size()) << table.row(info);
  }
  info = info_of(0.5);
  info.losses["ner"] = 1234567.891;
  EXPECT_EQ(table.row(info), "  2     400   1234568   50.00    0.17    15023\n");
  info.losses["ner"] = 1.5e20;
  info.epoch = 12'345;
  info.step = 12'345'678;
  EXPECT_EQ(table.row(info), "12k  12345k  1.50e+20   50.00    0.17    15023\n");
}

TEST(ScoreTableTest, ATableAmongTheScoresIsRefusedByName) {
  TrainingInfo info = info_of(0.5);
  info.other_scores.set("ents_per_type", Object());
  const ScoreTable table({}, {"ents_per_type"});
  EXPECT_THROW(table.row(info), Error);
}

TEST(ScoreTableTest, NamesOfStrangersStayInTheirColumns) {
  const ScoreTable table({"\x1B[2J"}, {"sc\nore", "é漢é漢é漢é漢"});
  const std::string header = table.header();
  EXPECT_EQ(header, printable_lines(header));
  EXPECT_EQ(std::count(header.begin(), header.end(), '\n'), 2);
}

TEST(ScoreTableTest, ManyScoresAreNoFloodOfColumns) {
  const ScoreTable table({}, std::vector<std::string>(10'000, "score"));
  EXPECT_LT(table.header().size(), 1000u);
  EXPECT_LT(table.row({}).size(), 1000u);
}

}  // namespace
}  // namespace weft
