// `weft render` on files of documents: what is drawn, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kTrees =
    "1\tdogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVB\t_\t0\tROOT\t_"
    "\tSpaceAfter=No"
    "\n3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n";

class RenderTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = fresh_folder(); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Outcome render(const std::string& input, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"render", path(input)};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  fs::path folder_;
};

TEST_F(RenderTest, EntitiesOfLinesOfJsonAreAPage) {
  write_text(folder_ / "in.jsonl",
             R"({"text": "Ada saw <Oslo>", "ents": [[0, 3, "PERSON"], [9, 13, "<b>"]]})"
             "\n");
  const Outcome outcome = render("in.jsonl", {"--lang", "en", "--title", "<script>"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("background: #aa9cfc"));
  EXPECT_THAT(outcome.out, HasSubstr("&lt;b&gt;</span>"));
  EXPECT_THAT(outcome.out, HasSubstr("<title>&lt;script&gt;</title>"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("<script>")));
  EXPECT_THAT(render("in.jsonl").err, HasSubstr("--lang CODE"));
}

TEST_F(RenderTest, ATreeIsAPictureByItself) {
  write_text(folder_ / "in.conllu", kTrees);
  ASSERT_EQ(render("in.conllu", {"-s", "dep", "-o", path("tree.svg")}).code, 0);
  const std::string svg = read_text(folder_ / "tree.svg");
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg;
  EXPECT_THAT(svg, HasSubstr(">bark.</tspan>"));
  EXPECT_THAT(svg, HasSubstr(">nsubj</textPath>"));
  const Outcome entities = render("in.conllu", {"-o", path("ents.svg")});
  EXPECT_EQ(entities.code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "ents.svg"));
}

TEST_F(RenderTest, DocumentsBeyondTheLimitAreCounted) {
  write_text(folder_ / "in.conllu",
             "# newdoc\n" + std::string(kTrees) + "# newdoc\n" + std::string(kTrees));
  const Outcome one = render("in.conllu", {"-s", "dep", "--limit", "1", "-o", path("a.html")});
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.err, HasSubstr("1 of 2 documents are drawn"));
  const Outcome two = render("in.conllu", {"-s", "dep", "-o", path("b.svg")});
  EXPECT_EQ(two.code, 2);
  EXPECT_THAT(two.err, HasSubstr("a .svg file holds one drawing"));
  EXPECT_FALSE(fs::exists(folder_ / "b.svg"));
}

TEST_F(RenderTest, DocumentsWithoutTheAnnotationAreDrawnAndCounted) {
  write_text(folder_ / "in.jsonl",
             "{\"text\": \"Ada slept\", \"spans\": {\"sc\": [[0, 3, \"P\"]]}}\n"
             "{\"text\": \"Oslo sleeps\"}\n");
  const Outcome outcome = render("in.jsonl", {"--lang", "en", "--style", "span"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("sleeps"));
  EXPECT_THAT(outcome.err, HasSubstr("warning: 1 of 2 documents have no spans \"sc\""));
  const Outcome none = render("in.jsonl", {"--lang", "en", "--style", "span", "--spans-key", "x"});
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.err, HasSubstr("have no spans \"x\", they have sc"));
  EXPECT_THAT(render("in.jsonl", {"--lang", "en", "--style", "dep"}).err,
              HasSubstr("the documents have no dependencies"));
  EXPECT_EQ(render("in.jsonl", {"--lang", "en", "--style", "dep"}).out, "");
  const Outcome entities = render("in.jsonl", {"--lang", "en"});
  EXPECT_EQ(entities.code, 3);
  EXPECT_THAT(entities.err, HasSubstr("the documents have no entities"));
}

// That no word is a name is an annotation too.
TEST_F(RenderTest, DocumentsWithoutAnEntityAreNotWithoutAnnotation) {
  write_text(folder_ / "in.jsonl",
             "{\"text\": \"Ada slept\", \"entities\": []}\n{\"text\": \"Oslo sleeps\"}\n");
  const Outcome outcome = render("in.jsonl", {"--lang", "en"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("warning: 1 of 2 documents have no entities"));
}

TEST_F(RenderTest, WrongWordsAreRefused) {
  write_text(folder_ / "in.conllu", kTrees);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--style", "tree"},
                                                {"--limit", "0"},
                                                {"--colors", "ORG"},
                                                {"--colors", "ORG=red"},
                                                {"--link", "javascript:x"}}) {
    EXPECT_EQ(render("in.conllu", words).code, 2) << words[0] << ' ' << words[1];
  }
  EXPECT_THAT(render("in.conllu", {"-s", "span"}).err, HasSubstr("no spans \"sc\""));
}

TEST_F(RenderTest, TheEndingOfTheOutputSaysWhatIsInIt) {
  write_text(folder_ / "in.conllu", kTrees);
  const Outcome outcome = render("in.conllu", {"-s", "dep", "-o", path("tree.PDF")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("not in '.PDF'"));
  EXPECT_FALSE(fs::exists(folder_ / "tree.PDF"));
  for (const std::string name : {"tree.HTM", "tree"}) {
    EXPECT_EQ(render("in.conllu", {"-s", "dep", "-o", path(name)}).code, 0) << name;
    EXPECT_TRUE(read_text(folder_ / name).starts_with("<!DOCTYPE html>"));
  }
}

}  // namespace
}  // namespace weft::testing_tools
