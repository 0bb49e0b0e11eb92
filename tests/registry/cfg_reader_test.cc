#include "registry/reading/cfg_reader.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/registry/reading.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CfgReaderTest, EveryNodeKnowsItsPlace) {
  const Reading reading =
      read("# top\n[a]\nx = 1\n  [b]\n\n[a.é]\n ключ  =  \"v\"\n list =\n   [1,\n   2]\n");
  const Config& config = reading.config;
  EXPECT_EQ(config.find("a")->key_origin.str(), "x.cfg:2:1");
  EXPECT_EQ(config.find("a.x")->key_origin.str(), "x.cfg:3:1");
  EXPECT_EQ(config.find("a.x")->origin.str(), "x.cfg:3:5");
  EXPECT_EQ(config.find("a.é.ключ")->key_origin.str(), "x.cfg:7:2");
  EXPECT_EQ(config.find("a.é.ключ")->origin.str(), "x.cfg:7:11");
  const Node& list = *config.find("a.é.list");
  EXPECT_EQ(list.origin.str(), "x.cfg:9:4");
  EXPECT_EQ(list.as_list()[1].origin.str(), "x.cfg:9:4");
}

TEST(CfgReaderTest, AnIndentedHeaderBelowAKeyIsText) {
  EXPECT_EQ(value_of("1\n  [b]").as_string(), "1\n[b]");
}

TEST(CfgReaderTest, AllBadLinesAreReported) {
  const Reading reading = read("[k]\na = 1\nnaked\n= 2\nb = 3\nalso naked\n");
  EXPECT_THAT(reading.texts(ProblemKind::parse),
              ElementsAre("x.cfg:3:1  neither a [section], nor `key = value`, nor an indented "
                          "continuation",
                          "x.cfg:4:1  there is no key before the separator",
                          "x.cfg:6:1  neither a [section], nor `key = value`, nor an indented "
                          "continuation"));
  EXPECT_EQ(reading.config.find("k.b")->as_integer(), 3);
}

TEST(CfgReaderTest, AKeyBeforeTheFirstSectionIsReportedAlone) {
  const Reading reading = read("a = 1\nnaked\n[k]\nb\n");
  EXPECT_THAT(reading.texts(ProblemKind::parse),
              ElementsAre("x.cfg:1:1  there is no [section] above this line"));
}

TEST(CfgReaderTest, AllStructureMistakesAreReported) {
  const Reading reading =
      read("[a]\nx = 1\nx = 2\n[a]\n[b.c]\n[a.y]\ny = 1\n[paths]\n[path.sub]\n");
  EXPECT_THAT(reading.texts(ProblemKind::duplicate),
              ElementsAre("x.cfg:4:1  [a]: the section is given twice, first in line 1",
                          "x.cfg:3:1  [a] x: the key is given twice, first in line 2"));
  EXPECT_THAT(reading.texts(ProblemKind::undefined_parent),
              ElementsAre("x.cfg:5:1  [b.c]: there is no section [b] above it",
                          "x.cfg:9:1  [path.sub]: there is no section [path] above it "
                          "(did you mean paths?)"));
}

TEST(CfgReaderTest, ConflictNamesBothLines) {
  const Reading reading = read("[a]\nb = 1\n[a.b]\nc = 2\n");
  EXPECT_THAT(reading.texts(ProblemKind::conflict),
              ElementsAre("x.cfg:3:1  [a] b: is a section and, in line 2, a key of [a] as well"));
}

TEST(CfgReaderTest, SectionsComeBeforeKeysAndMayStandInAnyOrder) {
  const Reading reading = read("[a.b]\ny = 2\n[a]\nx = 1\n");
  EXPECT_THAT(reading.problems, IsEmpty());
  EXPECT_EQ(to_json(Node(reading.config.root())), R"({"a": {"b": {"y": 2}, "x": 1}})");
}

TEST(CfgReaderTest, LineEndsOfFilesAndStrings) {
  const auto file = std::filesystem::temp_directory_path() / "weft_line_ends.cfg";
  std::ofstream(file, std::ios::binary) << "[a]\r\nx = 1\ry = 2\n";
  Problems problems;
  const Config config = read_config_file(file, problems);
  std::filesystem::remove(file);
  EXPECT_EQ(config.find("a.x")->as_integer(), 1);
  EXPECT_EQ(config.find("a.y")->as_integer(), 2);
  // In a string only LF ends a line.
  EXPECT_EQ(read("[a]\nx = 1\ry = 2\n").config.find("a.x")->as_string(), "1\ry = 2");
}

TEST(CfgReaderTest, AFileThatCannotBeReadIsAnError) {
  Problems problems;
  EXPECT_THROW(read_config_file("/nonexistent/x.cfg", problems), Error);
  EXPECT_THROW(read_config_file(std::filesystem::temp_directory_path(), problems), Error);
}

TEST(CfgReaderTest, CommentsStayAtTheirKeys) {
  const Reading reading =
      read("# file\n\n[a]\n; of x\n# more\nx = [1,\n# inside\n  2]\ny = 1\n# end\n");
  const Config& config = reading.config;
  EXPECT_THAT(config.find("a")->comments, ElementsAre("# file"));
  EXPECT_THAT(config.find("a.x")->comments, ElementsAre("; of x", "# more", "# inside"));
  EXPECT_THAT(config.find("a.y")->comments, IsEmpty());
  EXPECT_THAT(config.trailing_comments, ElementsAre("# end"));
}

TEST(CfgReaderTest, InvalidUtf8IsReportedWithItsPlace) {
  const Reading reading = read("[a]\nx = \"é\xff\"\n");
  EXPECT_THAT(reading.texts(ProblemKind::parse),
              ElementsAre("x.cfg:2:7  the byte 0xFF is not valid UTF-8 here"));
}

TEST(CfgReaderTest, AByteOrderMarkIsNamed) {
  const Reading reading = read("\xEF\xBB\xBF[a]\n");
  ASSERT_EQ(reading.problems.size(), 1U);
  EXPECT_THAT(reading.problems[0].message, testing::HasSubstr("byte order mark"));
}

TEST(CfgReaderTest, KeptModeKeepsTheTextOfValuesWithVariables) {
  const Reading reading =
      read_kept("[a]\nx = \"${b.c}\"\ny = [\"${b.c}\"]\nz = ${my-part.c}\nw = \"${my-part.c}\"\n");
  const Config& config = reading.config;
  EXPECT_EQ(config.find("a.x")->as_string(), "\"${b.c}\"");
  EXPECT_TRUE(config.find("a.x")->kept_raw);
  EXPECT_TRUE(config.find("a.y")->as_list()[0].kept_text);
  EXPECT_TRUE(config.find("a.z")->kept_raw);
  EXPECT_EQ(config.find("a.w")->as_string(), "${my-part.c}");
  EXPECT_TRUE(config.find("a.w")->kept_text);
}

}  // namespace
}  // namespace weft
