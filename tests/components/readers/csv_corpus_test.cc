// Texts with labels from comma- or tab-separated values: columns, quotes, gzip, and what is
// refused.
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "components/weft.h"
#include "framework/pipeline/language.h"
#include "framework/text/csv_reader.h"
#include "framework/training/reader.h"
#include "registry/base/error.h"
#include "tests/components/building.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CsvCorpusTest : public ::testing::Test {
 protected:
  // "text: label=value ..." of each example.
  std::vector<std::string> read(const std::string& file, const std::string& settings = "") {
    const auto reader = testing::build<Reader>("@readers = \"weft.CsvCorpus.v1\"\npath = \"" +
                                               file + "\"\n" + settings);
    const ExampleStreamPtr stream = reader.open(*nlp_);
    std::vector<std::string> examples;
    while (const ExamplePtr example = stream->next()) {
      const Doc& doc = example->reference();
      std::string line(doc.text());
      for (const TextCategory& cat : doc.cats()) {
        line += " " + cat.label + (cat.value == CategoryValue(1.0) ? "+" : "-");
      }
      examples.push_back(line);
      place_ = example->place().str();
    }
    return examples;
  }
  std::string refusal(const std::string& file, const std::string& settings = "") {
    try {
      read(file, settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }
  static std::string gzipped(const std::string& name, const std::string& text) {
    const std::string file = file_with(name, "");
    gzFile out = gzopen(file.c_str(), "wb");
    gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
    gzclose(out);
    return file;
  }

  const std::shared_ptr<Language> nlp_ = blank("en", {});
  std::string place_;
};

constexpr const char* kTwoColumns = "header = false\nlabel_column = 1\ntext_column = 2\n";

TEST_F(CsvCorpusTest, ColumnsHaveTheNamesOfTheHeader) {
  const std::string file = file_with("csv_header.csv", "id,text,label\n1,Play it,music\n");
  EXPECT_THAT(read(file), ElementsAre("Play it music+"));
  EXPECT_THAT(read(file, "text_column = \"label\"\nlabel_column = \"id\"\n"),
              ElementsAre("music 1+"));
}

TEST_F(CsvCorpusTest, CellsBetweenQuotesHoldEverything) {
  const std::string file =
      file_with("csv_quotes.csv",
                "\xEF\xBB\xBFtext,label\r\n\"Play, \"\"it\"\"\nnow\",music\r\n\r\nBook,food");
  EXPECT_THAT(read(file), ElementsAre("Play, \"it\"\nnow music+", "Book food+"));
  EXPECT_THAT(place_, HasSubstr(":5"));
}

TEST_F(CsvCorpusTest, TabsComeWithoutQuotesAndHeaders) {
  const std::string file = file_with("csv_tabs.tsv", "music\tPlay \"it\nfood\t\"Book\" it\n");
  EXPECT_THAT(read(file, kTwoColumns), ElementsAre("Play \"it music+", "\"Book\" it food+"));
}

TEST_F(CsvCorpusTest, GzippedFilesAreInflated) {
  std::string rows;
  for (int i = 0; i < 30000; ++i) rows += "music\tPlay number " + std::to_string(i) + "\n";
  const auto read_rows = read(gzipped("csv_gzip.tsv.gz", rows), kTwoColumns);
  ASSERT_EQ(read_rows.size(), 30000U);
  EXPECT_EQ(read_rows[29999], "Play number 29999 music+");
}

TEST_F(CsvCorpusTest, GzipThatIsCutOffIsRefused) {
  const std::string file = gzipped("csv_cut.tsv.gz", std::string(100000, 'x') + "\ty\n");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_THAT(refusal(file, kTwoColumns), HasSubstr("cut off"));
}

TEST_F(CsvCorpusTest, ACellMayHoldSeveralLabels) {
  const std::string file = file_with("csv_several.csv", "text,label\nPlay,a; b\nBook,\nRate,b\n");
  EXPECT_THAT(read(file, "label_separator = \";\"\nlabels = [\"a\", \"b\", \"c\"]\n"),
              ElementsAre("Play a+ b+ c-", "Book", "Rate a- b+ c-"));
}

// Two bytes of a cell are a label, which takes a hundred times as much.
TEST_F(CsvCorpusTest, LabelsOfACellAreCounted) {
  const auto row = [](int labels) {
    std::string cell;
    for (int i = 0; i < labels; ++i) cell += std::to_string(i) + "|";
    return "Play," + cell + "\n";
  };
  const std::string separator = "label_separator = \"|\"\n";
  const std::string header = "text,label\n";
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "1", 1), 0);
  const std::string several = header + row(3000) + row(3000);
  EXPECT_EQ(read(file_with("csv_labels.csv", several), separator).size(), 2U);
  EXPECT_THAT(refusal(file_with("csv_labels.csv", header + row(1) + row(20000)), separator),
              HasSubstr("csv_labels.csv:3  the labels of a row would take more memory than"));
  ::unsetenv("WEFT_READ_MIB");
}

TEST_F(CsvCorpusTest, AColumnMayBeALabel) {
  const std::string file = file_with("csv_flags.csv", "text,a,b\nPlay,1,0\nBook,true,\n");
  EXPECT_THAT(read(file, "label_column = null\nlabel_columns = [\"a\", \"b\"]\n"),
              ElementsAre("Play a+ b-", "Book a+"));
}

TEST_F(CsvCorpusTest, WhatIsWrongIsToldWithFileAndLine) {
  const auto told = [&](const std::string& name, const std::string& text,
                        const std::string& settings, const std::string& place,
                        const std::string& what) {
    const std::string message = refusal(file_with(name, text), settings);
    EXPECT_THAT(message, HasSubstr(name + place));
    EXPECT_THAT(message, HasSubstr(what));
  };
  told("csv_1.csv", "text,kind\na,b\n", "", ":1", "no column is called \"label\"");
  told("csv_2.csv", "text,label\na,b\nc\n", "", ":3", "column 2 is missing");
  told("csv_7.csv", "text,label\na,b\nI won, too,sports\n", "", ":3",
       "3 cells, the first one 2; a text with the delimiter in it stands between quotes");
  told("csv_8.csv", "a,b\nsports,I won, too\n",
       "header = false\ntext_column = 2\nlabel_column = 1\n", ":2", "3 cells, the first one 2");
  told("csv_3.csv", "text,label\n\"a\" b,c\n", "", ":2", "behind a closing quote");
  told("csv_4.csv", "text,label\n\"a,c\n", "", ":2", "not closed");
  told("csv_5.csv", "text,label\na\xFF,c\n", "", ":2", "UTF-8");
  told("csv_6.csv", "text,a\nPlay,maybe\n", "label_column = null\nlabel_columns = [\"a\"]\n", ":2",
       "neither 1 nor 0");
}

TEST_F(CsvCorpusTest, EmptyCellsBehindTheLastColumnAreNoOthers) {
  EXPECT_THAT(read(file_with("csv_wide.csv", "text,label\nPlay,a,,\nRate,b\n")),
              ElementsAre("Play a+", "Rate b+"));
}

TEST_F(CsvCorpusTest, SettingsThatMakeNoSenseAreRefused) {
  const std::string file = file_with("csv_settings.csv", "text,label\na,b\n");
  EXPECT_THAT(refusal(file, "delimiter = \"||\"\n"), HasSubstr("one ASCII character"));
  EXPECT_THAT(refusal(file, "header = false\n"), HasSubstr("without a header"));
}

TEST_F(CsvCorpusTest, ConvertSeesWhetherThereIsAHeader) {
  const std::string with = file_with("csv_convert.csv", "Category,Text\na,b\n");
  const CsvOptions found = csv_options_for(with, {});
  EXPECT_TRUE(found.header);
  EXPECT_EQ(found.text.number, 2);
  ASSERT_TRUE(found.label);
  EXPECT_EQ(found.label->number, 1);
  EXPECT_FALSE(csv_options_for(file_with("csv_convert_2.csv", "a,b\n"), {}).header);
  EXPECT_THROW(csv_options_for(file_with("csv_convert_3.csv", "a,b,c\n"), {}), Error);
}

TEST_F(CsvCorpusTest, ConvertRefusesAHeaderOfOtherNames) {
  for (const char* header :
       {"token,lable", "Review,Sentiment", "label,review", "txt,label", "words,lables"}) {
    const std::string file = file_with("csv_header.csv", std::string(header) + "\nAda,B-PER\n");
    try {
      csv_options_for(file, {});
      ADD_FAILURE() << header;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_THAT(error.what(), HasSubstr("csv_header.csv:1  a header with the columns"));
    }
  }
  const auto found = csv_options_for(file_with("csv_header.csv", "text,sentiment\na,b\n"), {});
  ASSERT_TRUE(found.label);
  EXPECT_EQ(found.label->number, 2);
  EXPECT_FALSE(csv_options_for(file_with("csv_header.csv", "cat,It purrs\n"), {}).header);
}

// Each row has a value for each of them.
TEST_F(CsvCorpusTest, LabelsHaveALimit) {
  const std::string file = file_with("rows.csv", "text,label\na,L1\n");
  const auto labels = [](int count) {
    std::string list = "labels = [\"L0\"";
    for (int i = 1; i < count; ++i) list += ", \"L" + std::to_string(i) + "\"";
    return list + "]\n";
  };
  EXPECT_EQ(read(file, labels(1024)).size(), 1U);
  EXPECT_THAT(refusal(file, labels(1025)),
              HasSubstr("labels has 1025 entries, and 1024 are the most"));
}

}  // namespace
}  // namespace weft
