#include "framework/io/text_lines.h"

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

std::vector<std::string> all(const std::vector<std::string>& files) {
  TextLines lines(files);
  std::vector<std::string> read;
  while (const auto line = lines.next()) read.push_back(*line);
  return read;
}

TEST(TextLines, LineBreaksOfBothKinds) {
  EXPECT_THAT(all({file_with("a", "one\r\n\ntwo \r x\nlast")}),
              ElementsAre("one", "", "two \r x", "last"));
  EXPECT_THAT(all({file_with("b", "")}), ElementsAre());
  EXPECT_THAT(all({file_with("c", "\n")}), ElementsAre(""));
}

TEST(TextLines, FilesFollowEachOther) {
  const std::string a = file_with("a", "1\n2"), b = file_with("b", ""), c = file_with("c", "3\n");
  EXPECT_THAT(all({a, b, c, a}), ElementsAre("1", "2", "3", "1", "2"));
  EXPECT_THAT(all({}), ElementsAre());
}

TEST(TextLines, InvalidTextIsPlaced) {
  TextLines lines({file_with("good", "a\nb\n"), file_with("bad", "a\n\xed\xa0\x80\n")});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(lines.next());
  try {
    lines.next();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("bad:2"));
  }
}

TEST(TextLines, AFileThatCannotBeReadIsNamed) {
  TextLines lines({"/no/such/file"});
  EXPECT_THROW(lines.next(), Error);
}

TEST(TextLines, AByteOrderMarkIsNoPartOfTheText) {
  const std::string marked = file_with("bom",
                                       "\xEF\xBB\xBF"
                                       "Ada\n\xEF\xBB\xBF"
                                       "Grace\n");
  EXPECT_THAT(all({marked, marked}), ElementsAre("Ada",
                                                 "\xEF\xBB\xBF"
                                                 "Grace",
                                                 "Ada",
                                                 "\xEF\xBB\xBF"
                                                 "Grace"));
}

}  // namespace
}  // namespace weft
