#include "registry/reading/toml_reader.h"

#include <gmock/gmock.h>

#include "registry/value/json.h"
#include "registry/writing/cfg_writer.h"
#include "registry/writing/toml_writer.h"
#include "tests/registry/reading.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(TomlReaderTest, TheSameTreeAsTheOtherDialect) {
  const Reading toml = read_toml_text(
      "[training]\nmax_steps = 10\ndropout = 0.1\nnone = \"${null}\"\n"
      "size = \"${nlp.batch}\"\npath = \"${nlp.name}/x\"\nlist = [1, \"a\", \"${null}\"]\n"
      "[training.\"*\".one]\n\"@f\" = \"g.v1\"\n[nlp]\nbatch = 5\nname = \"en\"\n");
  EXPECT_THAT(toml.problems, IsEmpty());
  const Reading cfg = read(
      "[training]\nmax_steps = 10\ndropout = 0.1\nnone = null\n"
      "size = ${nlp.batch}\npath = ${nlp.name}/x\nlist = [1, \"a\", null]\n"
      "[training.*.one]\n@f = \"g.v1\"\n[nlp]\nbatch = 5\nname = \"en\"\n");
  EXPECT_EQ(to_json(Node(toml.config.root())), to_json(Node(cfg.config.root())));
}

TEST(TomlReaderTest, OrderAndPlacesComeFromTheText) {
  const Reading reading = read_toml_text("[z]\nb = 1\na = {y = 1, x = 2}\n[a]\n[z.s]\n");
  EXPECT_EQ(to_json(Node(reading.config.root())),
            R"({"z": {"s": {}, "b": 1, "a": {"y": 1, "x": 2}}, "a": {}})");
  EXPECT_EQ(reading.config.find("z.a")->key_origin.str(), "x.toml:3:1");
  EXPECT_EQ(reading.config.find("z.a")->origin.str(), "x.toml:3:5");
  EXPECT_EQ(reading.config.find("z.a.x")->origin.str(), "x.toml:3:17");
  EXPECT_EQ(reading.config.find("a")->key_origin.str(), "x.toml:4:1");
}

TEST(TomlReaderTest, CommentsStayAtTheirKeys) {
  const Reading reading = read_toml_text(
      "# file\n[a] # head\n# of x\nx = \"# no\" # behind\nl = [ # first\n  1,\n  # inside\n  2]\n"
      "m = \"\"\"\n# text\n\"\"\"\n# end\n");
  EXPECT_THAT(reading.config.find("a")->comments, ElementsAre("# file", "# head"));
  EXPECT_THAT(reading.config.find("a.x")->comments, ElementsAre("# of x", "# behind"));
  EXPECT_THAT(reading.config.find("a.l")->comments, ElementsAre("# first", "# inside"));
  EXPECT_THAT(reading.config.find("a.m")->comments, IsEmpty());
  EXPECT_THAT(reading.config.trailing_comments, ElementsAre("# end"));
}

TEST(TomlReaderTest, MistakesHavePlaces) {
  EXPECT_THAT(read_toml_text("[a]\nx = \n").texts(ProblemKind::parse),
              ElementsAre(HasSubstr("x.toml:2:")));
  EXPECT_TRUE(read_toml_text("[a]\nx = 1\nx = 2\n").has(ProblemKind::duplicate));
  EXPECT_THAT(read_toml_text("x = 1\n[a]\n").texts(ProblemKind::parse),
              ElementsAre("x.toml:1:1  there is no [section] above the key x"));
  EXPECT_TRUE(read_toml_text("[a]\n[a.\"b.c\"]\n").has(ProblemKind::parse));
  EXPECT_TRUE(read_toml_text("[DEFAULT]\n").has(ProblemKind::default_section));
  EXPECT_TRUE(read_toml_text("[a]\nx = \"${b.c}\"\n").has(ProblemKind::unresolved_variable));
}

TEST(TomlReaderTest, CharactersBeyondAsciiNeedQuotes) {
  EXPECT_THAT(read_toml_text("[a]\nx = \"é\"\nä = 1 # ü\n").texts(ProblemKind::parse),
              ElementsAre(HasSubstr("x.toml:3:1")));
  EXPECT_TRUE(read_toml_text("\xEF\xBB\xBF[a]\n").has(ProblemKind::parse));
  EXPECT_THAT(read_toml_text("[a]\n\"ä\" = 'é' # ü\n").problems, IsEmpty());
}

// The library's behaviour is undefined where characters beyond ASCII stand behind a bare word that
// runs on into brackets or quotes.
TEST(TomlReaderTest, WordsDoNotRunOnIntoBracketsOrQuotes) {
  for (const char* value : {"1[a.\"kɽ\"]", "1[\"ɽ\"]", "x{\"ɽ\" = 1}", "1.\"ɽ\"", "[1.'ɽ']"}) {
    EXPECT_TRUE(read_toml_text("[a]\nc = " + std::string(value) + "\n").has(ProblemKind::parse))
        << value;
  }
  const Reading reading = read_toml_text(
      "[a.\"ä\"]\nc = [[1], [\"é\",\"ü\"]]\nd = {e.\"ö\" = 1, \"ß\" = {f = [\n2]}}\n\"k\".\"ñ\" = "
      "3\n");
  EXPECT_THAT(reading.problems, IsEmpty());
}

TEST(TomlReaderTest, DatesAreTextWithAWarning) {
  const Reading reading = read_toml_text("[a]\nx = 1979-05-27\n");
  EXPECT_EQ(reading.config.find("a.x")->as_string(), "1979-05-27");
  EXPECT_TRUE(reading.has(ProblemKind::became_string));
}

TEST(TomlReaderTest, LimitsAreReported) {
  std::string deep = "a";
  for (int i = 0; i < 200'000; ++i) deep += ".a";
  EXPECT_TRUE(read_toml_text("[" + deep + "]\n").has(ProblemKind::limit));
  EXPECT_TRUE(read_toml_text("[a]\nx = {" + deep + " = 1}\n").has(ProblemKind::limit));
  EXPECT_TRUE(read_toml_text("[a]\nx = " + std::string(200'000, '[')).has(ProblemKind::parse));
}

TEST(TomlWriterTest, RefusesByNameWhatTomlCannotHold) {
  const Reading big = read("[a]\nseed = 9223372036854775808\nnull = 1\nx = ${null}\n", false);
  Problems problems;
  write_toml(big.config, problems);
  ASSERT_THAT(problems, SizeIs(2));
  EXPECT_EQ(problems[0].str(),
            "x.cfg:2:1  [a] seed: TOML integers have 64 bits, and 9223372036854775808 has more");
  EXPECT_EQ(problems[1].path, "a.x");
}

TEST(TomlWriterTest, WritesSectionsValuesAndComments) {
  const Reading reading = read_kept(
      "; top\n[a]\nx = None\ny = \"é\\t\\\"\"\nkey.b = [1.0, NaN, {\"k\": true}]\nz = ${a.x}\nw = "
      "\"${a.x}\"\n"
      "[a.*.p]\n@f = \"g\"\n");
  Problems problems;
  EXPECT_EQ(write_toml(reading.config, problems),
            "# top\n[a]\nx = \"${null}\"\ny = \"é\\t\\\"\"\n\"key.b\" = [1.0, nan, { k = true }]\n"
            "z = \"${a.x}\"\nw = \"\\\"${a.x}\\\"\"\n\n[a.\"*\".p]\n\"@f\" = \"g\"");
  EXPECT_THAT(problems, IsEmpty());
}

TEST(TomlWriterTest, AsAsciiKeysAndValuesReadBack) {
  Object section;
  section.set("k\u202E", Node("é\u009b😀\x1B"));
  Object root;
  root.set("a\u2028", Node(section));
  Problems problems;
  const std::string ascii = write_toml(Config(root), problems, true);
  EXPECT_EQ(ascii,
            "[\"a\\U00002028\"]\n\"k\\U0000202E\" = \"\\U000000E9\\U0000009B\\U0001F600\\u001B\"");
  EXPECT_THAT(problems, IsEmpty());
  const Reading again = read_toml_text(ascii);
  EXPECT_THAT(again.problems, IsEmpty());
  EXPECT_EQ(again.config.root().find("a\u2028")->as_object().find("k\u202E")->as_string(),
            "é\u009b😀\x1B");
}

}  // namespace
}  // namespace weft
