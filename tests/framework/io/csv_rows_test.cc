#include "framework/io/csv_rows.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Row = std::vector<std::string>;

std::vector<Row> rows_of(const std::string& text) {
  CsvRows rows(file_with("in.csv", text), {});
  std::vector<Row> all;
  for (Row row; rows.next(row);) all.push_back(row);
  return all;
}

TEST(CsvRows, LinesEndAsOnAnySystem) {
  EXPECT_THAT(rows_of("a,b\r\nc,d\ne,f\r"),
              ElementsAre(Row{"a", "b"}, Row{"c", "d"}, Row{"e", "f"}));
  EXPECT_THAT(rows_of("\"a\",\"b\"\r\n\"c\",\"d\"\r"), ElementsAre(Row{"a", "b"}, Row{"c", "d"}));
  EXPECT_THAT(rows_of("\"a\r\nb\",\"c\rd\"\n"), ElementsAre(Row{"a\r\nb", "c\rd"}));
}

// The reader goes on behind the row.
TEST(CsvRows, CarriageReturnsWithinPlainCellsAreRefused) {
  CsvRows rows(file_with("in.csv", "a,b\rc,d\ne,f\n"), {});
  Row row;
  try {
    rows.next(row);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("in.csv:1  a carriage return inside of a line"));
  }
  ASSERT_TRUE(rows.next(row));
  EXPECT_THAT(row, ElementsAre("e", "f"));
}

}  // namespace
}  // namespace weft
