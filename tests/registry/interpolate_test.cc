#include "registry/variables/interpolate.h"

#include <gmock/gmock.h>

#include "registry/value/json.h"
#include "tests/registry/reading.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string tree(const Config& config) {
  return to_json(Node(config.root()));
}

TEST(InterpolateTest, AReferenceStandsForAValue) {
  const Reading reading = read(
      "[p]\nr = \"a\\\"b\"\nn = 3\nl = [\"q\"]\n"
      "[t]\na = [${p.r}, ${p.n}]\nb = \"${p.r}/x\"\nc = [\"${p.r}\", \"${p.n}\"]\n"
      "d = \"${p.l}\"\ne = ${p.n}${p.n}\nf = [[${p.l}], {\"k\": ${p.r}}]\n");
  EXPECT_THAT(reading.problems, IsEmpty());
  EXPECT_EQ(to_json(*reading.config.find("t")),
            R"({"a": ["a\"b", 3], "b": "a\"b/x", "c": ["a\"b", "3"], )"
            R"("d": "[\"q\"]", "e": 33, "f": [[["q"]], {"k": "a\"b"}]})");
}

TEST(InterpolateTest, AKeyWithAVariableInItMayStandBeforeOrBehind) {
  for (const char* text : {"[b]\nn = 1\n[d]\nK = {\"k\": ${b.n}}\ne = ${K}\n",
                           "[b]\nn = 1\n[d]\ne = ${K}\nK = {\"k\": ${b.n}}\n"}) {
    Problems problems;
    const Config expanded = interpolate(read_kept(text).config, problems);
    EXPECT_THAT(problems, IsEmpty()) << text;
    EXPECT_EQ(to_json(*expanded.find("d.e")), R"({"k": 1})") << text;
  }
}

TEST(InterpolateTest, NamesBeyondAsciiAreFoundWithinLists) {
  Problems problems;
  const Config expanded = interpolate(
      read_kept("[d]\n\u00e9 = 1\nk = [\"${\u00e9}\", \"${d.\u00e9}\"]\n").config, problems);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(to_json(*expanded.find("d.k")), R"(["1", "1"])");
}

TEST(InterpolateTest, AllProblemsAreReportedWithPlacesAndNames) {
  const Reading reading = read(
      "[paths]\ntrain = 1\n[t]\na = ${path.train}\nb = \"x ${paths.trian}\"\nc = $5\n"
      "d = \"${paths}\"\ne = ${tt}\n");
  EXPECT_THAT(reading.texts(ProblemKind::unresolved_variable),
              ElementsAre("x.cfg:4:5  [t] a: ${path.train} leads nowhere "
                          "(did you mean paths.train?)",
                          "x.cfg:5:5  [t] b: ${paths.trian} leads nowhere "
                          "(did you mean paths.train?)",
                          "x.cfg:8:5  [t] e: ${tt} leads nowhere"));
  EXPECT_THAT(reading.texts(ProblemKind::variable_syntax), SizeIs(1));
  EXPECT_THAT(reading.texts(ProblemKind::section_in_string),
              ElementsAre(HasSubstr("${paths} is a whole section")));
}

TEST(InterpolateTest, ACircleIsPrintedOnce) {
  const Reading reading = read("[a]\nx = ${b.y}\n[b]\ny = \"${a.x}\"\nz = ${a.x}\n");
  EXPECT_THAT(reading.texts(ProblemKind::cycle),
              ElementsAre("x.cfg:2:5  [a] x: the variables lead in a circle: a.x → b.y → a.x"));
  EXPECT_THAT(reading.problems, SizeIs(1));
}

TEST(InterpolateTest, SectionsInEachOtherAreACircle) {
  EXPECT_TRUE(read("[t]\nx = ${u}\n[u]\ny = ${t}\n").has(ProblemKind::cycle));
  EXPECT_TRUE(read("[t]\nx = ${t}\n").has(ProblemKind::cycle));
  EXPECT_TRUE(read("[t]\n[t.u]\nx = ${t}\n").has(ProblemKind::cycle));
}

TEST(InterpolateTest, LongChainsEndWithAProblem) {
  std::string text = "[c]\n";
  for (int i = 0; i < 100'000; ++i) {
    text += "k" + std::to_string(i) + " = ${c.k" + std::to_string(i + 1) + "}\n";
  }
  const Reading reading = read(text + "k100000 = 1\n");
  EXPECT_TRUE(reading.has(ProblemKind::cycle));
  EXPECT_FALSE(read("[c]\nk0 = ${c.k1}\nk1 = ${c.k2}\nk2 = 1\n").has(ProblemKind::cycle));
}

TEST(InterpolateTest, GrowthIsBounded) {
  std::string text = "[c]\nk0 = aaaaaaaaaaaaaaaa\n";
  std::string sections = "[s0]\nx = 1\n";
  for (int i = 0; i < 60; ++i) {
    const std::string k = "${c.k" + std::to_string(i) + "}";
    text += "k" + std::to_string(i + 1) + " = " + k + k + "\n";
    const std::string s = "${s" + std::to_string(i) + "}";
    sections += "[s" + std::to_string(i + 1) + "]\nx = " + s + "\ny = " + s + "\n";
  }
  EXPECT_TRUE(read(text).has(ProblemKind::limit));
  EXPECT_TRUE(read(sections).has(ProblemKind::limit));
}

TEST(InterpolateTest, ValuesKeepTheirOwnPlace) {
  const Reading reading = read("[a]\nx = 1\n[b]\ny = ${a.x}\n");
  EXPECT_EQ(reading.config.find("b.y")->origin.str(), "x.cfg:4:5");
  EXPECT_FALSE(reading.config.find("b.y")->kept_raw);
}

TEST(InterpolateTest, EscapedDollarsStayLiteralForGood) {
  const Reading reading = read("[a]\nx = $${a.y}\ny = 1\n");
  EXPECT_EQ(reading.config.find("a.x")->as_string(), "${a.y}");
  Problems problems;
  EXPECT_EQ(tree(interpolate(reading.config, problems)), R"({"a": {"x": "${a.y}", "y": 1}})");
}

TEST(InterpolateTest, KeptTreesExpandLater) {
  const Reading reading = read_kept(
      "[my-part]\nwidth = 96\n[a]\nd = {\"k\": 1}\nx = ${my-part.width}\ny = \"${my-part.width}\"\n"
      "z = [\"${a.d.k}\", \"$5\"]\nw = $5\n");
  Problems problems;
  const Config config = interpolate(reading.config, problems);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(to_json(*config.find("a")),
            R"({"d": {"k": 1}, "x": 96, "y": "96", "z": ["1", "$5"], "w": "$5"})");
}

TEST(InterpolateTest, ValuesThatReferToAFaultKeepTheirText) {
  const Reading reading = read("[a]\nx = ${b.y}\nz = \"v ${b.y}\"\n[b]\ny = $5\n");
  EXPECT_THAT(reading.problems, SizeIs(1));
  EXPECT_EQ(reading.config.find("a.x")->as_string(), "${b.y}");
  EXPECT_EQ(reading.config.find("a.z")->as_string(), "\"v ${b.y}\"");
}

TEST(InterpolateTest, NamesMayHoldAnyCharacterBeyondAscii) {
  for (const std::string name : {"\xC2\x80", "\xC3\xA9", "\xE4\xB8\xAD", "\xF0\x9F\x99\x82"}) {
    const Reading reading = read_kept("[a]\nk" + name + " = 1\nx = \"${a.k" + name + "}\"\n");
    EXPECT_TRUE(reading.config.find("a.x")->kept_raw) << name;
    Problems problems;
    const Config config = interpolate(reading.config, problems);
    EXPECT_THAT(problems, IsEmpty()) << name;
    EXPECT_EQ(config.find("a.x")->as_string(), "1") << name;
  }
}

TEST(InterpolateTest, TheImplicitStarIsNoSection) {
  EXPECT_TRUE(read("[u]\n[u.*.x]\nk = 1\n[t]\na = ${u.*}\n").has(ProblemKind::unresolved_variable));
}

TEST(InterpolateTest, ResultsDoNotDependOnTheOrder) {
  // ${b.y} is a copy of a section, never a place to look into.
  EXPECT_TRUE(
      read("[a]\nx = 1\n[b]\ny = ${a}\n[c]\nz = ${b.y.x}\n").has(ProblemKind::unresolved_variable));
  EXPECT_TRUE(
      read("[c]\nz = ${b.y.x}\n[a]\nx = 1\n[b]\ny = ${a}\n").has(ProblemKind::unresolved_variable));
  EXPECT_TRUE(
      read("[a]\nx = 1\n[b]\ny = ${a}\nz = \"v ${b.y}\"\n").has(ProblemKind::section_in_string));
  EXPECT_TRUE(
      read("[a]\nx = 1\n[b]\nz = \"v ${b.y}\"\ny = ${a}\n").has(ProblemKind::section_in_string));
}

}  // namespace
}  // namespace weft
