#include "framework/io/text_beginning.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/csv_rows.h"
#include "framework/io/input_lines.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kLittle("\xFF\xFE{\0}\0\n\0", 8);
constexpr std::string_view kBig("\xFE\xFF\0{\0}\0\n", 8);

TEST(Utf16, IsNamedWithTheRepair) {
  using namespace std::string_view_literals;
  const std::pair<std::string_view, const char*> wide[] = {{kLittle, "UTF-16"},
                                                           {kBig, "UTF-16"},
                                                           {"a\0b\0"sv, "UTF-16LE"},
                                                           {"\0a\0b\0c"sv, "UTF-16BE"},
                                                           {"\xFF\xFE\0\0a\0\0\0"sv, "UTF-32"},
                                                           {"\0\0\xFE\xFF"sv, "UTF-32"},
                                                           {"a\0\0\0b\0\0\0"sv, "UTF-32LE"},
                                                           {"\0\0\0a"sv, "UTF-32BE"}};
  for (const auto& [bytes, encoding] : wide) {
    try {
      refuse_wide(bytes, "a.conll");
      ADD_FAILURE() << encoding;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_THAT(error.what(), HasSubstr(std::string("a.conll:1  this is text in ") + encoding +
                                          "; `iconv -f " + encoding + " "));
    }
  }
  for (const std::string_view bytes :
       {""sv, "\xFF"sv, "\xEF\xBB\xBF{"sv, "a\xFF\xFE"sv, "a\0b"sv, "a\0bc"sv, "a\0b\0cd"sv}) {
    EXPECT_NO_THROW(refuse_wide(bytes, "a.conll"));
  }
}

TEST(Utf16, ReadersOfLinesAndRowsRefuseIt) {
  const std::string file = file_with("a.csv", std::string(kLittle));
  InputLines lines(file, 100);
  std::string line;
  EXPECT_THROW(lines.next(line), Error);
  EXPECT_TRUE(lines.is_cut());
  EXPECT_FALSE(lines.next(line));
  std::vector<std::string> cells;
  EXPECT_THROW(CsvRows(file, {}).next(cells), Error);
}

TEST(PackedText, IsNamedWithTheEndingThatUnpacksIt) {
  const auto refused = [](std::string_view bytes) -> std::string {
    try {
      refuse_packed(bytes, "a.jsonl");
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
  };
  EXPECT_THAT(refused("\x1F\x8B\x08"), HasSubstr("a.jsonl  the data is packed, as files that end "
                                                 "in .gz are"));
  EXPECT_THAT(refused("\x28\xB5\x2F\xFD"), HasSubstr("`zstdcat`"));
  EXPECT_THAT(refused("\xFD"
                      "7zXZ"),
              HasSubstr("`xzcat`"));
  for (const char* text : {"", "\x1F", "(", "7zXZ", "{\"text\""}) EXPECT_EQ(refused(text), "");
}

TEST(PackedText, ReadersOfLinesAndRowsRefuseIt) {
  const std::string file = file_with("a.csv", "\x1F\x8B\x08 and more\n");
  InputLines lines(file, 100);
  std::string line;
  EXPECT_THROW(lines.next(line), Error);
  EXPECT_TRUE(lines.is_cut());
  std::vector<std::string> cells;
  EXPECT_THROW(CsvRows(file, {}).next(cells), Error);
}

TEST(DocBinAsText, IsNamedWithItsReader) {
  const std::string file = file_with("a.tsv", "\x78\x9C\x4B\n");
  std::vector<std::string> cells;
  try {
    CsvRows(file, {}).next(cells);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("a.tsv  the data begins as .spacy files do, which are no "
                                        "text: \"spacy.Corpus.v1\" reads them"));
  }
  for (const char* text : {"x", "x\xC3\x9C", "\x9C"}) EXPECT_NO_THROW(refuse_doc_bin(text, file));
}

}  // namespace
}  // namespace weft
