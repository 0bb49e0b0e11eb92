#include "registry/overrides/overrides.h"

#include <gmock/gmock.h>

#include "registry/value/json.h"
#include "tests/registry/reading.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string shown(const Overrides& overrides) {
  std::string text;
  for (const auto& [name, node] : overrides) text += name + "=" + to_json(node) + " ";
  return text;
}

Overrides from_words(const std::vector<std::string>& words, Problems& problems) {
  return parse_overrides(words, Origin::Source::command_line, {}, problems);
}

TEST(OverridesTest, WordsOfTheCommandLine) {
  Problems problems;
  EXPECT_EQ(shown(from_words({"--a.b", "1", "--c.d-e=x", "--f.g", "--h.i", "-5", "--a.b", "2"},
                             problems)),
            "a.b=2 c.d_e=\"x\" f.g=true h.i=-5 ");
  EXPECT_THAT(problems, IsEmpty());
}

TEST(OverridesTest, AllBadWordsAreReported) {
  Problems problems;
  from_words({"--foo", "1", "word", "--bar", "--a.b", "1"}, problems);
  ASSERT_THAT(problems, SizeIs(3));
  EXPECT_EQ(problems[0].kind, ProblemKind::no_such_option);
  EXPECT_EQ(problems[0].place.str(), "command line --foo");
  EXPECT_EQ(problems[1].kind, ProblemKind::invalid_override);
  EXPECT_EQ(problems[2].kind, ProblemKind::no_such_option);
}

TEST(OverridesTest, OnesThatAreNoUtf8AreRefused) {
  Problems problems;
  EXPECT_EQ(shown(from_words({"--a.b", "d\xff.spacy", "--c.d=\xc3", "--\xfe.x", "1", "--e.f", "ä"},
                             problems)),
            R"(e.f="\u00e4" )");
  ASSERT_THAT(problems, SizeIs(3));
  for (const Problem& problem : problems) EXPECT_EQ(problem.kind, ProblemKind::invalid_override);
}

TEST(OverridesTest, AWholeSectionIsNotOverridden) {
  Config config = read("[a]\nk = 1\n").config;
  Problems problems;
  override_existing(config, from_words({"--a=1.5", "--a.k=2"}, problems), problems);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].kind, ProblemKind::unknown_override);
  EXPECT_EQ(to_json(Node(config.root())), R"({"a": {"k": 2}})");
}

TEST(OverridesTest, ALostDoubleDashIsTold) {
  Problems problems;
  EXPECT_EQ(shown(from_words({"--a.b=x--y"}, problems)), "a.b=\"xy\" ");
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].severity, Severity::warning);
}

TEST(OverridesTest, EnvironmentWinsAtTheCommandLinesPlace) {
  Problems problems;
  const Overrides overrides = collect_overrides({"--a.b", "1", "--c.d", "2"},
                                                {{"SPACY_CONFIG_OVERRIDES", "--e.f 3 --a.b 10"},
                                                 {"WEFT_CONFIG_OVERRIDES", "--a.b 20 --c.d 2"}},
                                                problems);
  EXPECT_EQ(shown(overrides), "a.b=20 c.d=2 e.f=3 ");
  ASSERT_THAT(problems, SizeIs(2));
  EXPECT_EQ(
      problems[0].str(),
      "SPACY_CONFIG_OVERRIDES  [a] b: 10 from SPACY_CONFIG_OVERRIDES wins over 1 from command "
      "line --a.b");
  EXPECT_EQ(problems[1].str(),
            "WEFT_CONFIG_OVERRIDES  [a] b: 20 from WEFT_CONFIG_OVERRIDES wins over 10 from "
            "SPACY_CONFIG_OVERRIDES");
}

TEST(OverridesTest, TheHistoryOfAValueCanBePrinted) {
  Problems problems;
  const Overrides overrides =
      collect_overrides({"--a.b", "1"}, {{"SPACY_CONFIG_OVERRIDES", "--a.b 2"}}, problems);
  const Reading reading = read("[a]\n# note\nb = 0\n", true, overrides);
  const Node* node = reading.config.find("a.b");
  std::vector<std::string> history;
  for (const Node* step = node; step != nullptr; step = step->replaced.get()) {
    history.push_back(to_json(*step) + " " + step->origin.str());
  }
  EXPECT_THAT(history,
              ElementsAre("2 SPACY_CONFIG_OVERRIDES", "1 command line --a.b", "0 x.cfg:3:5"));
  EXPECT_EQ(node->key_origin.str(), "x.cfg:3:1");
  EXPECT_THAT(node->comments, ElementsAre("# note"));
}

TEST(OverridesTest, UnknownOnesAreAllReportedWithSuggestions) {
  Problems problems;
  const Overrides overrides =
      from_words({"--Model.width=1", "--nothere.x=1", "--model.new=1"}, problems);
  const Reading reading = read("[model]\nwidth = 96\n", true, overrides);
  EXPECT_THAT(
      reading.texts(ProblemKind::unknown_override),
      ElementsAre("command line --Model.width=1  [Model] width: cannot be overridden: the "
                  "config has no such section (did you mean model.width?)",
                  "command line --nothere.x=1  [nothere] x: cannot be overridden: the config "
                  "has no such section"));
  EXPECT_EQ(reading.config.find("model.new")->as_integer(), 1);
}

TEST(OverridesTest, CommandsAcceptOnlyWhatExists) {
  const Reading filled = read(
      "[nlp]\nbatch_size = 1000\n[training]\nmax_steps = 0\npatience = 1600\n[training.batcher]\n"
      "@batchers = \"spacy.batch_by_words.v1\"\ndiscard_oversize = false\n[training.batcher.size]\n"
      "@schedules = \"compounding.v1\"\nstart = 100\nstop = 1000\n[training.optimizer]\nlearn_rate "
      "= 0.1\n");
  Problems problems;
  const Overrides overrides =
      from_words({"--training.batch_size", "128", "--training.max_steps", "5"}, problems);
  check_overrides(filled.config, overrides, problems);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].suggestion, "training.batcher.size or nlp.batch_size");
}

TEST(OverridesTest, AnObjectReplacesASection) {
  Object value;
  value.set("k", Node(1));
  const Reading reading =
      read("[a]\n[a.b]\nx = 1\n[a.b.c]\ny = 2\n[t]\nz = ${a.b.k}\n", true, {{"a.b", Node(value)}});
  EXPECT_THAT(reading.problems, IsEmpty());
  EXPECT_EQ(to_json(Node(reading.config.root())), R"({"a": {"b": {"k": 1}}, "t": {"z": 1}})");
}

TEST(OverridesTest, ValuesLikeTheReferencesOtherReader) {
  Problems problems;
  const std::vector<std::pair<const char*, const char*>> values = {
      {"01", "1"},
      {"1.", "1.0"},
      {"-.5", "-0.5"},
      {".5", "\".5\""},
      {"NaN", "\"NaN\""},
      {"[NaN]", "\"[NaN]\""},
      {"1e400", "Infinity"},
      {"0.0003", "0.0003"},
      {"18446744073709551615", "18446744073709551615"},
      {"18446744073709551616", "\"18446744073709551616\""},
      {"-9223372036854775808", "-9223372036854775808"},
      {"-9223372036854775809", "\"-9223372036854775809\""},
      {"\"a\tb\"", R"("a\tb")"},
      {"[01, 2.]", "[1, 2.0]"},
      {"1e", "1.0"},
      {"-", "\"-\""},
      {"True", "\"True\""},
      {"true", "true"},
      {"1-2", "\"1-2\""},
      {"1.5.5", "\"1.5.5\""},
      {"", "\"\""}};
  for (const auto& [word, json] : values) {
    EXPECT_EQ(shown(from_words({"--a.b", word}, problems)), std::string("a.b=") + json + " ")
        << word;
  }
}

TEST(OverridesTest, WordsAreSplitLikeAShellDoes) {
  EXPECT_THAT(split_words("a  'b c' \"d \\\" \\e\" f\\ g '' h\"i\"j\n#k").words,
              ElementsAre("a", "b c", "d \" \\e", "f g", "", "hij", "#k"));
  EXPECT_THAT(split_words("--a.b \"open end").words, ElementsAre("--a.b", "open end"));
  EXPECT_THAT(split_words("   ").words, IsEmpty());
}

TEST(OverridesTest, WordsThatBreakOffAreTakenWithAWarning) {
  for (const char* open : {"--a.b \"2", "--a.b 'x y", "a \\", "\"", "'", "a 'b'\"c"}) {
    EXPECT_FALSE(split_words(open).is_whole) << open;
  }
  for (const char* whole : {"", "--a.b \"2\"", "'x y'", "a \\\\", "\"a\" ", "a\\ "}) {
    EXPECT_TRUE(split_words(whole).is_whole) << whole;
  }
  Problems problems;
  EXPECT_EQ(collect_overrides({}, {{"WEFT", "--a.b 1 --a.c \"2"}}, problems).size(), 2U);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].severity, Severity::warning);
  EXPECT_EQ(problems[0].str(), "WEFT  a quote is not closed, or a backslash ends the text");
}

}  // namespace
}  // namespace weft
