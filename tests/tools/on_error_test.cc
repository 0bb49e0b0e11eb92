// Rows that cannot be read, under each word of --on-error.
#include <algorithm>
#include <cstdlib>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::ptrdiff_t lines_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

class OnErrorTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "in.jsonl",
               "{\"words\": [\"Ada\"], \"ner_tags\": [\"B-PER\"]}\n{\"words\": [\"x\"\n"
               "{\"words\": [\"Oslo\"], \"ner_tags\": [\"B-LOC\"]}\n{\"lords\": [\"y\"]}\n");
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Outcome convert(const std::string& from, const std::string& to,
                  const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"convert", path(from), path(to)};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  fs::path folder_;
};

TEST_F(OnErrorTest, ByDefaultAllBadRowsAreNamedAndNothingIsWritten) {
  const Outcome outcome = convert("in.jsonl", "out.jsonl");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("in.jsonl:2  no valid JSON"));
  EXPECT_THAT(outcome.err, HasSubstr("in.jsonl:4  a record with neither \"text\" nor \"words\"; "
                                     "its keys are \"lords\" (did you mean words?)"));
  EXPECT_THAT(outcome.err, HasSubstr("2 rows cannot be read"));
  EXPECT_FALSE(fs::exists(path("out.jsonl")));
}

TEST_F(OnErrorTest, SkipWritesTheGoodRowsAndEndsWithThree) {
  const Outcome outcome = convert("in.jsonl", "out.conll", {"--on-error", "skip"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("in.jsonl:2"));
  EXPECT_THAT(outcome.err, HasSubstr("2 rows are left out"));
  EXPECT_EQ(read_text(path("out.conll")), "Ada\tB-PER\n\nOslo\tB-LOC\n\n");
  write_text(path("good.conll"), "Ada\tB-PER\n\n");
  EXPECT_EQ(convert("good.conll", "out.conll", {"--on-error", "skip"}).code, 0);
}

// A packed file of a few kilobytes could make a report of gigabytes.
TEST_F(OnErrorTest, AReportHasAnEndOfItsOwn) {
  constexpr std::ptrdiff_t kRows = 24000;
  std::string rows;
  for (std::ptrdiff_t i = 0; i < kRows; ++i) rows += "x\n";
  write_text(folder_ / "many.jsonl", rows);
  const Outcome outcome =
      convert("many.jsonl", "out.spacy", {"--on-error", "report", path("bad.jsonl")});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(lines_of(read_text(path("bad.jsonl"))), 16384 + 2 * kRows / 16);
  EXPECT_THAT(outcome.err, HasSubstr("24000 rows are left out that cannot be read; "));
  EXPECT_THAT(outcome.err, HasSubstr("bad.jsonl lists the first 19384 of them"));
}

// A thousand bytes may be half a million rows, each with an error of its own to be made.
TEST_F(OnErrorTest, APackedFileOfFaultyRowsEndsAtALimit) {
  constexpr int kMost = 65536;
  std::string rows;
  for (int i = 0; i < 2 * kMost; ++i) rows += "x\n";
  write_text(folder_ / "many.jsonl", rows);
  ASSERT_EQ(std::system(("gzip -9 " + path("many.jsonl")).c_str()), 0);
  const auto bytes = static_cast<int>(fs::file_size(path("many.jsonl.gz")));
  for (const std::string& report : {std::string("skip"), "report=" + path("bad.jsonl")}) {
    const Outcome outcome = convert("many.jsonl.gz", "out.spacy", {"--on-error=" + report});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr(std::to_string(kMost + bytes / 8 + 1)));
    EXPECT_THAT(outcome.err,
                HasSubstr("more than " + std::to_string(kMost + bytes / 8) +
                          " rows cannot be read, too many for packed files of this size"));
    EXPECT_FALSE(fs::exists(path("out.spacy")));
    EXPECT_FALSE(fs::exists(path("bad.jsonl")));
  }
}

TEST_F(OnErrorTest, AReportHasALineForEachBadRow) {
  const Outcome outcome =
      convert("in.jsonl", "out.spacy", {"--on-error", "report", path("bad.jsonl")});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(fs::exists(path("out.spacy")));
  const std::string report = read_text(path("bad.jsonl"));
  EXPECT_EQ(lines_of(report), 2);
  EXPECT_THAT(report, HasSubstr("\"line\": 2, \"message\": \"no valid JSON"));
  EXPECT_THAT(report, HasSubstr("\"line\": 4, \"message\": \"a record with neither"));
  EXPECT_EQ(convert("in.jsonl", "out.spacy", {"--on-error", "report"}).code, 2);
  EXPECT_EQ(convert("in.jsonl", "out.spacy", {"--on-error", "report", path("in.jsonl")}).code, 2);
  const Outcome same =
      convert("in.jsonl", "out.jsonl", {"--on-error", "report", path("./out.jsonl")});
  EXPECT_EQ(same.code, 2);
  EXPECT_THAT(same.err, HasSubstr("is the output and the report of --on-error"));
  EXPECT_FALSE(fs::exists(path("out.jsonl")));
  const Outcome unknown = convert("in.jsonl", "out.spacy", {"--on-error", "ignore"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("error, skip or report FILE"));
  const Outcome packed =
      convert("in.jsonl", "out.spacy", {"--on-error", "report", path("bad.jsonl.gz")});
  EXPECT_EQ(packed.code, 2);
  EXPECT_THAT(packed.err, HasSubstr("is not compressed: name it " + path("bad.jsonl")));
  EXPECT_FALSE(fs::exists(path("bad.jsonl.gz")));
}

TEST_F(OnErrorTest, ManyBadRowsAreCounted) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "{\n";
  write_text(path("bad.jsonl"), text + "{\"words\": [\"Ada\"]}\n");
  const Outcome stopped = convert("bad.jsonl", "out.jsonl");
  EXPECT_THAT(stopped.err, HasSubstr("at least 20 rows cannot be read"));
  const Outcome skipped = convert("bad.jsonl", "out.jsonl", {"--on-error", "skip"});
  EXPECT_EQ(skipped.code, 3);
  EXPECT_THAT(skipped.err, HasSubstr("... and 30 more rows"));
  EXPECT_LT(lines_of(skipped.err), 25);
  EXPECT_EQ(lines_of(read_text(path("out.jsonl"))), 1);
}

TEST_F(OnErrorTest, ABadSentenceIsLeftOutAlone) {
  write_text(path("in.conll"),
             "a\tO\n\nb\tO\nc\nd\tO\n\ne\tB-X\n\nf\tQ\n\n-DOCSTART-\tO\n\ng\tO\n\xff\tO\n\nh\tO\n");
  const Outcome outcome = convert("in.conll", "out.conll", {"--on-error", "skip"});
  EXPECT_EQ(outcome.code, 3);
  for (const char* place : {"in.conll:4:", "in.conll:9:", "in.conll:14:"}) {
    EXPECT_THAT(outcome.err, HasSubstr(place));
  }
  EXPECT_EQ(read_text(path("out.conll")),
            "-DOCSTART-\tO\n\na\tO\n\ne\tB-X\n\n-DOCSTART-\tO\n\nh\tO\n\n");
  write_text(path("in.iob"), "a|O b|B-X\nc d|O\ne|O\n");
  EXPECT_EQ(convert("in.iob", "out.conll", {"--on-error", "skip", "-n", "2"}).code, 3);
  EXPECT_EQ(read_text(path("out.conll")), "-DOCSTART-\tO\n\na\tO\nb\tB-X\n\ne\tO\n\n");
}

TEST_F(OnErrorTest, ABadRowOfATableDoesNotTakeOtherSentencesAlong) {
  write_text(path("in.csv"),
             "sentence,word,tag\n1,a,O\n1,b\n1,c,O\n2,d,B-X\n2,e,I-X\n3,f,Q\n4,g,O\n");
  const Outcome outcome = convert("in.csv", "out.conll", {"--on-error", "skip"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("in.csv:3:1  a line with 2 columns; the header has 3"));
  EXPECT_THAT(outcome.err, HasSubstr("in.csv:7:"));
  EXPECT_EQ(read_text(path("out.conll")), "d\tB-X\ne\tI-X\n\ng\tO\n\n");
}

TEST_F(OnErrorTest, EntitiesThatDoNotFitAreBadRowsUnderTheErrorPolicy) {
  write_text(path("in.jsonl"),
             "{\"text\": \"Mr Smith\", \"entities\": [[3, 6, \"PER\"]]}\n"
             "{\"text\": \"Mr Smith\", \"entities\": [[3, 8, \"PER\"]]}\n");
  const Outcome outcome = convert("in.jsonl", "out.conll", {"--lang", "en", "--on-error", "skip"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("in.jsonl:1  document 1: PER at characters 3 to 6"));
  EXPECT_THAT(outcome.err, HasSubstr("(tokens \"Smith\"); --misaligned"));
  EXPECT_EQ(read_text(path("out.conll")), "Mr\tO\nSmith\tB-PER\n\n");
}

TEST_F(OnErrorTest, AListThatBreaksOffEndsTheCommand) {
  write_text(path("in.json"), "[{\"words\": [\"a\"]},\n{\"words\": 7},\n{\"words\": [\"b\"");
  const Outcome outcome = convert("in.json", "out.jsonl", {"--on-error", "skip"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("in.json:2"));
  EXPECT_THAT(outcome.err, HasSubstr("does not end"));
  EXPECT_FALSE(fs::exists(path("out.jsonl")));
}

TEST_F(OnErrorTest, TokenizeGoesOnBehindABadLine) {
  write_text(path("in.txt"), "a b\n\xff\nc\n\xfe\n");
  const Outcome skipped =
      run_weft({"tokenize", "--lang", "en", path("in.txt"), "--on-error", "skip"});
  EXPECT_EQ(skipped.code, 3);
  EXPECT_EQ(lines_of(skipped.out), 2);
  EXPECT_THAT(skipped.err, HasSubstr("in.txt:2"));
  const Outcome reported = run_weft(
      {"tokenize", "--lang", "en", path("in.txt"), "--on-error", "report", path("bad.jsonl")});
  EXPECT_EQ(reported.code, 3);
  EXPECT_THAT(read_text(path("bad.jsonl")), HasSubstr("\"line\": 4"));
  const Outcome stopped = run_weft({"tokenize", "--lang", "en", path("in.txt")});
  EXPECT_EQ(stopped.code, 3);
  EXPECT_THAT(stopped.err, HasSubstr("in.txt:2"));
  EXPECT_THAT(stopped.err, HasSubstr("in.txt:4"));
  EXPECT_THAT(stopped.out, Not(HasSubstr("\"c\"")));
}

// The same where the damage lies between two rows of a table.
TEST_F(OnErrorTest, ATableThatIsDamagedBehindARowEndsTheCommandOnce) {
  write_text(path("in.csv"), "text,label\na b,x\nc d,y\n");
  ASSERT_EQ(std::system(("gzip " + path("in.csv")).c_str()), 0);
  write_text(path("in.csv.gz"), read_text(path("in.csv.gz")) + "x");
  const std::vector<std::vector<std::string>> commands = {
      {"convert", path("in.csv.gz"), path("out.spacy"), "--lang", "en"},
      {"convert", path("in.csv.gz"), path("out.spacy"), "--lang", "en", "--on-error", "skip"},
      {"tokenize", "--lang", "en", path("in.csv.gz")},
      {"tokenize", "--lang", "en", path("in.csv.gz"), "--on-error", "skip"}};
  for (const std::vector<std::string>& words : commands) {
    const Outcome outcome = run_weft(words);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(lines_of(outcome.err), 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("in.csv.gz"));
    EXPECT_LT(outcome.out.size(), 4000U);
  }
  EXPECT_FALSE(fs::exists(path("out.spacy")));
}

TEST_F(OnErrorTest, AFolderOfTablesIsRead) {
  fs::create_directory(path("tables"));
  write_text(path("tables/a.csv"), "text,label\nGood.,pos\n");
  write_text(path("tables/b.csv"), "text,label\nBad.,neg\n");
  const Outcome outcome = convert("tables", "out.jsonl", {"--lang", "en"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string written = read_text(path("out.jsonl"));
  EXPECT_EQ(lines_of(written), 2);
  EXPECT_THAT(written, HasSubstr("\"cats\": {\"pos\": 1.0}"));
  EXPECT_THAT(written, HasSubstr("\"cats\": {\"neg\": 1.0}")) << "the classes of each file";
}

// Behind damage there are no rows: none is looked for again and again.
TEST_F(OnErrorTest, ADamagedFileEndsTheCommandOnce) {
  write_text(folder_ / "cut.jsonl.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\0\xab", 11));
  for (const char* mode : {"error", "skip"}) {
    const Outcome outcome =
        convert("cut.jsonl.gz", "cut.spacy", {"--lang", "en", "--on-error", mode});
    EXPECT_EQ(outcome.code, 3) << mode;
    EXPECT_THAT(outcome.err, HasSubstr("cut.jsonl.gz"));
    EXPECT_LE(lines_of(outcome.err), 2) << outcome.err.substr(0, 500);
    EXPECT_FALSE(fs::exists(folder_ / "cut.spacy"));
  }
  write_text(folder_ / "texts.txt.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\0\xab", 11));
  const Outcome texts =
      run_weft({"tokenize", "--lang", "en", path("texts.txt.gz"), "--on-error", "skip"});
  EXPECT_EQ(texts.code, 3);
  EXPECT_LE(lines_of(texts.err), 2) << texts.err.substr(0, 500);
}

// Damage of one file is none of the others'.
TEST_F(OnErrorTest, OfAFolderADamagedFileIsLeftOutAlone) {
  fs::create_directory(folder_ / "bins");
  fs::create_directory(folder_ / "texts");
  write_text(path("in.conll"), "a\tO\n\nb\tO\n");
  for (const char* name : {"bins/1.spacy", "bins/2.spacy.gz", "bins/3.spacy", "texts/1.jsonl.gz"}) {
    ASSERT_EQ(convert("in.conll", name).code, 0);
  }
  write_text(folder_ / "bins/2.spacy.gz", read_text(path("bins/2.spacy.gz")).substr(0, 40));
  write_text(folder_ / "texts/2.jsonl.gz", read_text(path("texts/1.jsonl.gz")).substr(0, 40));
  for (const auto& [input, file, docs] :
       {std::tuple("bins", "2.spacy.gz", 4), std::tuple("texts", "2.jsonl.gz", 2)}) {
    const Outcome stopped = convert(input, "out.jsonl");
    EXPECT_EQ(stopped.code, 3);
    EXPECT_FALSE(fs::exists(path("out.jsonl")));
    const Outcome skipped = convert(input, "out.jsonl", {"--on-error", "skip"});
    EXPECT_EQ(skipped.code, 3);
    EXPECT_THAT(skipped.err, HasSubstr(file));
    EXPECT_THAT(skipped.err, HasSubstr("the rest of the file is left out"));
    EXPECT_THAT(skipped.err, HasSubstr("1 row is left out"));
    EXPECT_EQ(lines_of(read_text(path("out.jsonl"))), docs);
    fs::remove(path("out.jsonl"));
  }
}

// A fault of the output is none of a file that is read: it is not told as damage of each.
TEST_F(OnErrorTest, AnOutputThatCannotTakeADocumentEndsTheCommand) {
  fs::create_directory(folder_ / "texts");
  for (const char* name : {"texts/1.jsonl", "texts/2.jsonl"}) {
    write_text(folder_ / name, "{\"words\": [\"a\\tb\"], \"ner_tags\": [\"O\"]}\n");
  }
  const Outcome outcome = convert("texts", "out.conllu", {"--on-error", "skip"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, Not(HasSubstr("left out")));
}

// A ruler gives up on the second of three texts. Its neighbours in the batch come out as ever,
// though another component has joined tokens of theirs before.
TEST_F(OnErrorTest, ADocumentThatAComponentGivesUpOnIsLeftOut) {
  write_text(folder_ / "rulers.cfg",
             "[nlp]\nlang = \"en\"\npipeline = [\"entity_ruler\", \"merge_entities\", "
             "\"span_ruler\"]\n\n[components]\n\n"
             "[components.entity_ruler]\nfactory = \"entity_ruler\"\n\n"
             "[components.merge_entities]\nfactory = \"merge_entities\"\n\n"
             "[components.span_ruler]\nfactory = \"span_ruler\"\n");
  ASSERT_EQ(run_weft({"assemble", path("rulers.cfg"), path("rulers")}).code, 0);
  write_text(folder_ / "rulers/entity_ruler/patterns.jsonl",
             "{\"label\": \"GPE\", \"pattern\": \"New York\"}\n");
  write_text(folder_ / "rulers/span_ruler/patterns",
             "{\"label\": \"X\", \"pattern\": [{\"OP\": \"+\"}]}\n");
  std::string many;
  for (int i = 0; i < 3000; ++i) many += "a ";
  many += "\n";
  write_text(folder_ / "good.txt", "I like New York.\nOslo is cold.\n");
  write_text(folder_ / "bad.txt", "I like New York.\n" + many + "Oslo is cold.\n");
  write_text(folder_ / "worse.txt", many + many);
  const auto apply = [&](const char* from, const char* to, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"apply", path("rulers"), path(from), path(to)});
    return run_weft(more);
  };
  ASSERT_EQ(apply("good.txt", "good.jsonl").code, 0);
  const std::string good = read_text(path("good.jsonl"));
  EXPECT_THAT(good, HasSubstr("\"GPE\""));
  EXPECT_THAT(good, HasSubstr("\"X\""));

  const Outcome ended = apply("bad.txt", "out.jsonl");
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("in the document \"a a a"));
  EXPECT_FALSE(fs::exists(path("out.jsonl")));

  const Outcome skipped =
      apply("bad.txt", "out.jsonl", {"--on-error", "report", path("bad.jsonl")});
  EXPECT_EQ(skipped.code, 3);
  EXPECT_EQ(read_text(path("out.jsonl")), good);
  EXPECT_THAT(skipped.err, HasSubstr("warning: span_ruler: "));
  EXPECT_THAT(skipped.err, HasSubstr("1 row is left out"));
  EXPECT_THAT(read_text(path("bad.jsonl")), HasSubstr("in the document \\\"a a a"));

  const Outcome none = apply("worse.txt", "none.jsonl", {"--on-error", "skip"});
  EXPECT_EQ(none.code, 3);
  EXPECT_THAT(none.err, HasSubstr("no document of "));
  EXPECT_FALSE(fs::exists(path("none.jsonl")));
}

}  // namespace
}  // namespace weft::testing_tools
