// Lines and lists of records, with the line of each.
#include "framework/text/records/record_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// "LINE:TEXT" of each record.
std::vector<std::string> texts(const std::string& file) {
  RecordTexts source(file_with("in.json", file));
  std::vector<std::string> found;
  for (std::string text; source.next(text);) {
    found.push_back(std::to_string(source.line()) + ":" + text);
  }
  return found;
}

std::string error_of(const std::string& file) {
  try {
    texts(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RecordTextsTest, LinesAreTakenAsTheyAre) {
  EXPECT_THAT(texts("\xEF\xBB\xBF{\"a\": 1}\n\n[\"t\", {}]"),
              ElementsAre("1:{\"a\": 1}", "2:", "3:[\"t\", {}]"));
  EXPECT_THAT(texts(""), ElementsAre());
}

TEST(RecordTextsTest, ElementsOfAListMaySpanLines) {
  EXPECT_THAT(texts("[{\"a\": \"]}\\\"\"},\n {\"b\": [1,\n 2]}\n , 7, \"x\"]\n"),
              ElementsAre("1:{\"a\": \"]}\\\"\"}", "2:{\"b\": [1,\n 2]}", "4:7", "4:\"x\""));
  EXPECT_THAT(texts("[[\"t\", {}], [\"u\", {}]]"), ElementsAre("1:[\"t\", {}]", "1:[\"u\", {}]"));
  EXPECT_THAT(texts(" [ ] "), ElementsAre());
}

TEST(RecordTextsTest, AListIsReadInPieces) {
  const std::string record = "{\"text\": \"" + std::string(50'000, 'x') + "\"}";
  std::string file = "[";
  for (int i = 0; i < 9; ++i) file += (i > 0 ? ",\n" : "") + record;
  const auto found = texts(file + "]");
  ASSERT_EQ(found.size(), 9u);
  EXPECT_EQ(found.back(), "9:" + record);
}

TEST(RecordTextsTest, BrokenListsAreNamedWithTheirLine) {
  EXPECT_THAT(error_of("[{\"a\": 1},\n"), HasSubstr("in.json:2"));
  EXPECT_THAT(error_of("[{\"a\": 1"), HasSubstr("does not end"));
  EXPECT_THAT(error_of("[{} {}]"), HasSubstr("a comma"));
  EXPECT_THAT(error_of("[{},]"), HasSubstr("a comma"));
  EXPECT_THAT(error_of("[{}] x"), HasSubstr("behind the list"));
}

TEST(RecordTextsTest, ARecordOnSeveralLinesIsNamedOnce) {
  const std::string printed = "{\n  \"examples\": [\n    {\"text\": \"Ada\"}\n  ]\n}\n";
  EXPECT_THAT(error_of(printed), HasSubstr("in.json:1  a record that goes on in the next line"));
  RecordTexts source(file_with("in.json", "\xEF\xBB\xBF" + printed));
  std::string text;
  EXPECT_THROW(source.next(text), Error);
  EXPECT_FALSE(source.goes_on());
  EXPECT_THAT(texts("{\n{\n"), ElementsAre("1:{", "2:{")) << "rows that cannot be read";
  EXPECT_THAT(texts("{\"a\":\n"), ElementsAre("1:{\"a\":")) << "a fault of its record alone";
}

}  // namespace
}  // namespace weft
