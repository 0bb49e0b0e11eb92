#include "registry/writing/cfg_writer.h"

#include <gmock/gmock.h>

#include "registry/value/json.h"
#include "registry/variables/interpolate.h"
#include "tests/registry/reading.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string written(const Config& config, const WriteOptions& options = {}) {
  Problems problems;
  std::string text = write_cfg(config, problems, options);
  EXPECT_THAT(problems, IsEmpty());
  return text;
}

TEST(CfgWriterTest, CommentsSurvive) {
  const std::string text = "# file\n# second\n[a]\n; of x\nx = 1\n\n# of b\n[a.b]\ny = 2\n\n# end";
  EXPECT_EQ(written(read(text).config), text);
  EXPECT_EQ(written(read(text).config, {.comments = false}), "[a]\nx = 1\n\n[a.b]\ny = 2");
}

// Commands read with variables kept and write again, so a pipeline may go through many of them.
TEST(CfgWriterTest, ADollarStaysOne) {
  const std::string text =
      "[a]\nn = 1\nk = \"a$$b\"\nplain = a$$b\nl = [\"$$\", \"x$$${a.n}\", {\"$$\": \"$$5\"}]\n"
      "v = \"$$ ${a.n}\"\nescaped = \"$${a.n}\"";
  const auto read_single = [](const std::string& cfg) {
    Problems problems;
    return read_cfg(cfg, "x.cfg", problems, {.interpolate = false, .single_dollars = true});
  };
  const Config kept = read_single(text);
  EXPECT_EQ(kept.find("a.k")->as_string(), "a$b");
  EXPECT_EQ(kept.find("a.l")->as_list()[0].as_string(), "$");
  std::string again = text;
  for (int round = 0; round < 3; ++round) again = written(read_single(again));
  Problems problems;
  EXPECT_EQ(to_json(Node(interpolate(read_single(again), problems).root())),
            to_json(Node(read(text).config.root())));
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(read_single(again).find("a.plain")->as_string(), "a$b");
  EXPECT_EQ(written(read_single("[a]\nk = \"a$b\"")), "[a]\nk = \"a$$b\"");
}

TEST(CfgWriterTest, BothOrders) {
  const Config config = read("[b]\n[a]\n[b.c]\n[a.d]\n[b.c.e]\nx = 1\n").config;
  EXPECT_EQ(written(config), "[b]\n\n[a]\n\n[b.c]\n\n[a.d]\n\n[b.c.e]\nx = 1");
  EXPECT_EQ(written(config, {.order = SectionOrder::depth_first}),
            "[b]\n\n[b.c]\n\n[b.c.e]\nx = 1\n\n[a]\n\n[a.d]");
}

TEST(CfgWriterTest, NamesThatWouldReadBackDifferentlyAreRefused) {
  for (const char* key : {"", "x=y", "x:y", " x", "x ", "#x", ";x", "[x]", "x\ny"}) {
    Object section, root;
    section.set(key, Node(1));
    root.set("a", Node(section));
    Problems problems;
    write_cfg(Config(root), problems);
    ASSERT_THAT(problems, SizeIs(1)) << key;
    EXPECT_EQ(problems[0].kind, ProblemKind::unserialisable);
  }
  for (const char* name : {"", "DEFAULT", "a.b", "a\nb"}) {
    Object root;
    root.set(name, Node(Object()));
    Problems problems;
    write_cfg(Config(root), problems);
    EXPECT_THAT(problems, SizeIs(1)) << name;
  }
}

TEST(CfgWriterTest, OddButSoundNamesReadBack) {
  const std::string text = "[ a ]\n\"q\" = 1\n[k = 2\n@x = 3\nkey with space = 4\n\n[b]c]\nx = 1";
  EXPECT_EQ(written(read(text).config), text);
}

TEST(CfgWriterTest, AValueOutsideAnySectionIsRefused) {
  Object root;
  root.set("x", Node(1));
  Problems problems;
  write_cfg(Config(root), problems);
  EXPECT_THAT(problems, SizeIs(1));
}

TEST(CfgWriterTest, KeptValuesAreWrittenAsTheyWere) {
  const Reading reading =
      read_kept("[p]\nr = 1\n\n[a]\nx = ${p.r}\ny = \"${p.r}\"\nz = x\n\t${p.r}");
  EXPECT_EQ(written(reading.config),
            "[p]\nr = 1\n\n[a]\nx = ${p.r}\ny = \"${p.r}\"\nz = x\n\t${p.r}");
}

// As configparser writes them: the value begins below its key.
TEST(CfgWriterTest, KeptValuesWhoseFirstLineIsEmptyStayWhatTheyAre) {
  const Reading reading =
      read_kept("[p]\nr = 1\n\n[a]\nx =\n  ${p.r}\ny =\n  [2,\n  ${p.r}]\nz = \"\\n${p.r}\"\n");
  const std::string text = written(reading.config);
  EXPECT_EQ(text, "[p]\nr = 1\n\n[a]\nx = \n\t${p.r}\ny = \n\t[2,\n\t${p.r}]\nz = \"\\n${p.r}\"");
  const Reading again = read(text);
  EXPECT_TRUE(again.config.find("a.x")->same_value(Node(1)));
  EXPECT_EQ(to_json(*again.config.find("a.y")), "[2, 1]");
  EXPECT_EQ(to_json(*again.config.find("a.z")), "\"\\n1\"");
}

TEST(CfgWriterTest, LiteralDollarsReadBack) {
  for (const char* raw : {"$${p.r}", "$$5", "\"a$$b\"", "[\"$${p.r}\", \"$$\"]", "$${"}) {
    const Reading first = read("[p]\nr = 1\n[a]\nx = " + std::string(raw) + "\n");
    const Reading second = read(written(first.config));
    ASSERT_THAT(second.problems, IsEmpty()) << raw;
    EXPECT_TRUE(Node(second.config.root()).same_value(Node(first.config.root()))) << raw;
  }
}

TEST(CfgWriterTest, ABareDollarBesideAVariableCannotBeWritten) {
  const Reading reading = read_kept("[a]\nx = ${p.r} costs $5\n");
  Problems problems;
  write_cfg(reading.config, problems);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].kind, ProblemKind::variable_syntax);
  EXPECT_EQ(written(reading.config, {.check_variables = false}), "[a]\nx = ${p.r} costs $5");
}

TEST(CfgWriterTest, ProgramsMayGiveCommentsWithoutSign) {
  Config config = read("[a]\nx = 1\n").config;
  config.find("a.x")->comments = {"from a\nprogram"};
  EXPECT_EQ(written(config), "[a]\n# from a program\nx = 1");
}

TEST(CfgWriterTest, AsAsciiAValueKeepsItsMeaning) {
  const std::string text = "[a]\nx = \"y\"\nb = ${a.x}\u009b\x1B[2J é\nc = ${a.x} plain\n";
  const Config config = read_kept(text).config;
  const std::string ascii = written(config, {.ascii = true});
  EXPECT_EQ(ascii, "[a]\nx = \"y\"\nb = \"${a.x}\\u009b\\u001b[2J \\u00e9\"\nc = ${a.x} plain");
  EXPECT_EQ(read(ascii).config.find("a.b")->as_string(), "y\u009b\x1B[2J é");
  EXPECT_EQ(read(text).config.find("a.b")->as_string(), "y\u009b\x1B[2J é");
}

}  // namespace
}  // namespace weft
