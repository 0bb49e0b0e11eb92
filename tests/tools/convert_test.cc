// `weft convert` between all formats, and what it says of bad input.
#include <algorithm>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/tools/program.h"
#include "tests/tools/shell_line.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ConvertTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = fresh_folder(); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, const std::string& text) const {
    write_text(folder_ / name, text);
    return path(name);
  }

  Outcome convert(const std::string& from, const std::string& to,
                  std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"convert", path(from), path(to)};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  // The contents of `to` afterwards.
  std::string converted(const std::string& from, const std::string& to,
                        std::vector<std::string> more = {}) const {
    const Outcome outcome = convert(from, to, std::move(more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? read_text(folder_ / to) : "";
  }

  fs::path folder_;
};

constexpr const char* kConll = "Ada\tB-PER\nSmith\tI-PER\nleft\tO\n\nOslo\tB-LOC\n\n";

TEST_F(ConvertTest, ConllComesBackFromEveryFormat) {
  write("in.conll", kConll);
  converted("in.conll", "a.spacy");
  EXPECT_EQ(converted("a.spacy", "b.jsonl"),
            "{\"tokens\": [\"Ada\", \"Smith\", \"left\"], \"ents\": [{\"start\": 0, \"end\": 2, "
            "\"label\": \"PER\"}], \"cats\": {}}\n"
            "{\"tokens\": [\"Oslo\"], \"ents\": [{\"start\": 0, \"end\": 1, \"label\": \"LOC\"}], "
            "\"cats\": {}}\n");
  EXPECT_EQ(converted("b.jsonl", "c.conll"), kConll);
}

TEST_F(ConvertTest, SentencesAreGroupedAndKeptApartByDocstart) {
  write("in.conll", kConll);
  const std::string grouped = converted("in.conll", "a.conll", {"--n-sents", "2"});
  EXPECT_EQ(grouped, std::string("-DOCSTART-\tO\n\n") + kConll);
  EXPECT_EQ(converted("a.conll", "b.conll"), grouped);
  const Outcome counted = convert("a.conll", "b.spacy", {"--json"});
  const auto facts = parse_json(counted.out);
  ASSERT_TRUE(facts) << counted.out;
  EXPECT_EQ(facts->as_object().find("documents")->as_integer(), 1);
  EXPECT_EQ(facts->as_object().find("tokens")->as_integer(), 4);
  EXPECT_EQ(facts->as_object().find("entities")->as_integer(), 2);
}

TEST_F(ConvertTest, NoSentencesToADocumentMeansThoseThatAreMarked) {
  write("in.conll", kConll);
  const std::string start = "-DOCSTART-\tO\n\n";
  EXPECT_EQ(converted("in.conll", "a.conll", {"-n", "0"}), start + kConll);
  write("marked.conll", kConll + start + kConll);
  EXPECT_EQ(converted("marked.conll", "b.conll", {"-n", "0"}), start + kConll + start + kConll);
  EXPECT_EQ(converted("marked.conll", "c.conll", {"-n", "1"}), start + kConll + start + kConll);
  write("words.conll", "Ada\tB-PER\nleft\tO\n.\tO\nOslo\tB-LOC\n");
  EXPECT_EQ(converted("words.conll", "d.conll", {"-n", "0"}),
            start + "Ada\tB-PER\nleft\tO\n.\tO\n\nOslo\tB-LOC\n\n");
  write("lines.iob", "Ada|B-PER left|O\n");
  const Outcome lines = convert("lines.iob", "e.conll", {"-n", "0"});
  EXPECT_EQ(lines.code, 2);
  EXPECT_THAT(lines.err, HasSubstr("nothing marks documents"));
  EXPECT_EQ(convert("in.conll", "f.conll", {"-n", "-1"}).code, 2);
}

TEST_F(ConvertTest, TheTwoNamesOfEntityColumnsTakeEitherLayout) {
  write("in.txt", kConll);
  EXPECT_EQ(converted("in.txt", "a.conll", {"-c", "iob"}), kConll);
  write("lines.txt", "Ada|B-PER Smith|I-PER left|O\nOslo|B-LOC\n");
  EXPECT_EQ(converted("lines.txt", "b.conll", {"-c", "ner"}), kConll);
  write("in.ner", kConll);
  EXPECT_EQ(converted("in.ner", "c.conll"), kConll);
}

TEST_F(ConvertTest, WordsWithoutAColumnOfTagsHaveTheOneThatSpacyGivesThem) {
  write("in.conll", kConll);
  converted("in.conll", "a.spacy");
  EXPECT_THAT(converted("a.spacy", "b.conll"), HasSubstr("Ada\t-\tB-PER\n"));
}

// spaCy's `-s`, `-n` and `-b` on a file without blank lines.
constexpr const char* kUnmarked =
    "Ada\tB-PER\nleft\tO\n!\tO\nJ\tB-PER\n.\tI-PER\nLo\tI-PER\nsang\tO\n.\tO\nOslo\tB-LOC\n";

TEST_F(ConvertTest, SentencesAreFoundWhereAFileMarksNone) {
  write("in.conll", kUnmarked);
  const std::string one = "Ada\tB-PER\nleft\tO\n!\tO\n\n";
  const std::string two = "J\tB-PER\n.\tI-PER\nLo\tI-PER\nsang\tO\n.\tO\n\n";
  const std::string three = "Oslo\tB-LOC\n\n", start = "-DOCSTART-\tO\n\n";
  EXPECT_EQ(converted("in.conll", "a.conll"), std::string(kUnmarked) + "\n");
  EXPECT_EQ(converted("in.conll", "b.conll", {"--seg-sents"}), one + two + three);
  EXPECT_EQ(converted("in.conll", "c.conll", {"-s", "-n", "2"}), start + one + two + start + three);
  EXPECT_EQ(converted("in.conll", "d.conll", {"-c", "ner", "-s", "-n", "9"}),
            start + one + two + three);
}

TEST_F(ConvertTest, SentencesThatAFileMarksStayAndDocumentsToo) {
  write("in.conll", kConll);
  const Outcome marked = convert("in.conll", "a.conll", {"-s"});
  EXPECT_EQ(marked.code, 0);
  EXPECT_EQ(read_text(folder_ / "a.conll"), kConll);
  EXPECT_THAT(marked.err, HasSubstr("marks its sentences by blank lines; they stay"));
  const std::string start = "-DOCSTART-\tO\n\n", left = "Ada\tB-PER\nleft\tO\n.\tO\n";
  write("docs.conll", start + left + "Oslo\tB-LOC\n" + start + left);
  EXPECT_EQ(converted("docs.conll", "b.conll", {"-s"}),
            start + left + "\nOslo\tB-LOC\n\n" + start + left + "\n");
}

TEST_F(ConvertTest, SentencesAreThoseOfTheBase) {
  write("base.cfg",
        "[nlp]\nlang = \"en\"\npipeline = [\"sentencizer\"]\n\n[components]\n\n"
        "[components.sentencizer]\nfactory = \"sentencizer\"\npunct_chars = [\"!\"]\n");
  ASSERT_EQ(run_weft({"assemble", path("base.cfg"), path("base")}).code, 0);
  write("in.conll", kUnmarked);
  const std::string text = converted("in.conll", "a.conll", {"-s", "-b", path("base")});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9 + 2);
  EXPECT_THAT(text, HasSubstr("!\tO\n\nJ"));
  const Outcome alone = convert("in.conll", "a.conll", {"--base", path("base")});
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, HasSubstr("--seg-sents"));
  write("none.cfg", "[nlp]\nlang = \"en\"\npipeline = []\n");
  ASSERT_EQ(run_weft({"assemble", path("none.cfg"), path("none")}).code, 0);
  const Outcome without = convert("in.conll", "a.conll", {"-s", "--base", path("none")});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("does not set sentences"));
}

TEST_F(ConvertTest, RunningTextIsCutIntoSentencesToo) {
  write("in.txt", "Ada left. She sang.\n");
  EXPECT_EQ(converted("in.txt", "a.conll", {"-s", "--lang", "en"}),
            "-DOCSTART-\tO\n\nAda\t-\nleft\t-\n.\t-\n\nShe\t-\nsang\t-\n.\t-\n\n");
}

TEST_F(ConvertTest, OtherTagSchemesBecomeIob2) {
  write("iob1.iob", "Ada\tI-PER\nOslo\tI-LOC\n\n");
  EXPECT_EQ(converted("iob1.iob", "a.conll"), "Ada\tB-PER\nOslo\tB-LOC\n\n");
  write("lines.iob", "Ada|B-PER Smith|I-PER\nOslo|B-LOC\n");
  EXPECT_EQ(converted("lines.iob", "b.conll"), "Ada\tB-PER\nSmith\tI-PER\n\nOslo\tB-LOC\n\n");
  write("biluo.txt", "Ada\tNNP\tB-PER\nSmith\tNNP\tL-PER\nOslo\tNNP\tU-LOC\n\n");
  EXPECT_EQ(converted("biluo.txt", "c.conll", {"--converter", "ner"}),
            "Ada\tNNP\tB-PER\nSmith\tNNP\tI-PER\nOslo\tNNP\tB-LOC\n\n");
}

TEST_F(ConvertTest, RunningTextIsCutByTheRulesOfALanguage) {
  write("in.jsonl", "{\"text\": \"Ada's in Oslo.\", \"entities\": [[9, 13, \"LOC\"]]}\n");
  const Outcome refused = convert("in.jsonl", "a.spacy");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--lang"));
  const std::string line = converted("in.jsonl", "a.jsonl", {"--lang", "en"});
  EXPECT_THAT(line, HasSubstr("\"tokens\": [\"Ada\", \"'s\", \"in\", \"Oslo\", \".\"]"));
  EXPECT_THAT(line, HasSubstr("{\"start\": 3, \"end\": 4, \"start_char\": 9, \"end_char\": 13"));
  converted("a.jsonl", "b.spacy");
  EXPECT_EQ(converted("b.spacy", "c.jsonl"), line);
}

TEST_F(ConvertTest, MissingAnnotationStaysMissing) {
  write("in.conll", "Ada\tB-PER\nleft\t-\n\n");
  converted("in.conll", "a.spacy");
  EXPECT_EQ(converted("a.spacy", "b.jsonl"),
            "{\"tokens\": [\"Ada\", \"left\"], \"ner_tags\": [\"U-PER\", \"-\"], \"cats\": {}}\n");
  EXPECT_EQ(converted("b.jsonl", "c.conll"), "Ada\tB-PER\nleft\t-\n\n");
  write("none.jsonl", "{\"tokens\": [\"Ada\"]}\n");
  EXPECT_EQ(converted("none.jsonl", "d.jsonl"), "{\"tokens\": [\"Ada\"], \"cats\": {}}\n");
}

TEST_F(ConvertTest, EntitiesThatDoNotFallOnTokensAreToldAndHandled) {
  write("in.jsonl", "{\"text\": \"Mr Smith left\", \"entities\": [[3, 6, \"PER\"]]}\n");
  const Outcome refused = convert("in.jsonl", "a.jsonl", {"--lang", "en"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("in.jsonl:1"));
  EXPECT_FALSE(fs::exists(folder_ / "a.jsonl"));
  const Outcome expanded =
      convert("in.jsonl", "a.jsonl", {"--lang", "en", "--misaligned", "expand"});
  EXPECT_EQ(expanded.code, 0);
  EXPECT_THAT(expanded.err, HasSubstr("\"Smith\" is taken instead"));
  EXPECT_THAT(read_text(folder_ / "a.jsonl"), HasSubstr("\"start_char\": 3, \"end_char\": 8"));
}

TEST_F(ConvertTest, ClassesOfAFileAreAllKnownAndOfAPipeThoseSeenSoFar) {
  write("in.jsonl",
        "{\"id\": 1, \"text\": \"We won.\", \"label\": [\"sports\"]}\n"
        "{\"id\": 2, \"text\": \"She sang.\", \"label\": [\"music\"]}\n");
  const std::string sports = "\"cats\": {\"sports\": 1.0";
  const std::string music = "\"cats\": {\"sports\": 0.0, \"music\": 1.0}";
  const std::string whole = converted("in.jsonl", "a.jsonl", {"--lang", "en"});
  EXPECT_THAT(whole, HasSubstr(sports + ", \"music\": 0.0}"));
  EXPECT_THAT(whole, HasSubstr(music));
  const Outcome piped =
      run_line(folder_, "cat in.jsonl | weft convert - b.jsonl --lang en -c jsonl");
  ASSERT_EQ(piped.code, 0) << piped.err;
  const std::string streamed = read_text(folder_ / "b.jsonl");
  EXPECT_THAT(streamed, HasSubstr(sports + "}"));
  EXPECT_THAT(streamed, HasSubstr(music));
}

TEST_F(ConvertTest, DroppedEntitiesAreToldWithWhatWouldKeepThem) {
  write("in.jsonl", "{\"text\": \"Mr Smith left\", \"entities\": [[3, 6, \"PER\"]]}\n");
  const Outcome dropped = convert("in.jsonl", "a.jsonl", {"--lang", "en", "--misaligned", "drop"});
  EXPECT_EQ(dropped.code, 0);
  EXPECT_THAT(dropped.err, HasSubstr("in.jsonl:1  document 1: PER at characters 3 to 6, \"Smi\", "
                                     "does not fall on token boundaries (tokens \"Smith\"); it is "
                                     "left out (--misaligned expand"));
}

TEST_F(ConvertTest, OffsetsInOtherUnitsAreFoundWhereTheTextIsQuoted) {
  // Behind the emoji UTF-16 counts one more than characters do: "Oslo" by the one is " Osl" here.
  write("in.jsonl",
        "{\"text\": \"\xF0\x9F\x98\x80 in Oslo\", \"entities\": [{\"start\": 6, \"end\": "
        "10, \"label\": \"LOC\", \"text\": \"Oslo\"}, {\"start\": 2, \"end\": 4, "
        "\"label\": \"X\", \"text\": \"in\"}]}\n");
  const Outcome refused = convert("in.jsonl", "a.jsonl", {"--lang", "en"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("in.jsonl:1  document 1: LOC at characters 6 to 10"));
  EXPECT_THAT(refused.err, HasSubstr("is not \"Oslo\", as its source quotes it"));
  const Outcome dropped = convert("in.jsonl", "a.jsonl", {"--lang", "en", "--misaligned", "drop"});
  EXPECT_EQ(dropped.code, 0);
  EXPECT_THAT(dropped.err, HasSubstr("UTF-16"));
  EXPECT_THAT(dropped.err, HasSubstr("1 entities"));
}

TEST_F(ConvertTest, AFileWithoutAMatchingShapeIsRefusedWithItsKey) {
  write("in.jsonl", "{\"text\": \"Ada\", \"lables\": [[0, 3, \"PER\"]]}\n");
  const Outcome outcome = convert("in.jsonl", "a.spacy", {"--lang", "en"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("in.jsonl:1  unknown key \"lables\""));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean labels?"));
  EXPECT_FALSE(fs::exists(folder_ / "a.spacy"));
  write("in.csv", "word,lable\nAda,B-PER\n");
  const Outcome header = convert("in.csv", "a.spacy", {"--converter", "conll"});
  EXPECT_EQ(header.code, 3);
  EXPECT_THAT(header.err, HasSubstr("in.csv:1:1"));
  EXPECT_THAT(header.err, HasSubstr("did you mean label"));
}

TEST_F(ConvertTest, SpacyTwosJson) {
  write("in.json", R"([{"id": 0, "paragraphs": [{"raw": "Ada left", "sentences": [{"tokens": [
      {"orth": "Ada", "ner": "U-PER"}, {"orth": "left", "ner": "O"}]}]}]}])");
  EXPECT_EQ(converted("in.json", "a.conll"), "Ada\tB-PER\nleft\tO\n\n");
}

TEST_F(ConvertTest, BadInputIsNamedAndLeavesNothingBehind) {
  write("in.conll", "Ada\tB-PER\nleft\n");
  const Outcome malformed = convert("in.conll", "a.jsonl");
  EXPECT_EQ(malformed.code, 3);
  EXPECT_THAT(malformed.err, HasSubstr("in.conll:2"));
  const Outcome missing = convert("absent.conll", "a.spacy");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("absent.conll"));
  write("empty.conll", "\n");
  EXPECT_EQ(convert("empty.conll", "a.spacy").code, 3);
  write("cut.spacy", "x\x9c\x4b");
  EXPECT_EQ(convert("cut.spacy", "a.conll").code, 3);
  EXPECT_EQ(convert("in.conll", "a.docx").code, 2);
  const Outcome unknown = convert("in.conll", "a.spacy", {"--converter", "connl"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("conll"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3);
}

TEST_F(ConvertTest, HelpFitsAScreenAndEndsWithAnExample) {
  const Outcome help = run_weft({"convert", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_LE(std::count(help.out.begin(), help.out.end(), '\n'), 32);
  EXPECT_THAT(help.out, HasSubstr("\nexample: weft convert "));
}

TEST_F(ConvertTest, AFolderAsOutputIsAnsweredWithAFile) {
  write("in.conll", kConll);
  fs::create_directories(folder_ / "corpus");
  for (const char* name : {"corpus", "corpus/", "new/"}) {
    const Outcome outcome = convert("in.conll", name);
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_THAT(outcome.err, HasSubstr("is a folder; OUTPUT is a file, as ")) << name;
    EXPECT_THAT(outcome.err, HasSubstr("/in.spacy")) << name;
  }
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(ConvertTest, RowsOfTextsHaveEveryLabelOfTheirFile) {
  write("in.csv", "text,label\nI won,sports\n\"I, too\",music\nHm,\n");
  EXPECT_EQ(converted("in.csv", "out.jsonl", {"--lang", "en"}),
            "{\"text\": \"I won\", \"tokens\": [\"I\", \"won\"], \"spaces\": [true, false], "
            "\"cats\": {\"sports\": 1.0, \"music\": 0.0}}\n"
            "{\"text\": \"I, too\", \"tokens\": [\"I\", \",\", \"too\"], \"spaces\": [false, "
            "true, false], \"cats\": {\"sports\": 0.0, \"music\": 1.0}}\n"
            "{\"text\": \"Hm\", \"tokens\": [\"Hm\"], \"spaces\": [false], \"cats\": {}}\n");
}

TEST_F(ConvertTest, RowsWithoutALabelAreTold) {
  write("in.csv", "text,lable\nI won,sports\n");
  EXPECT_THAT(convert("in.csv", "out.jsonl", {"--lang", "en"}).err,
              HasSubstr("note: no row has a label"));
}

}  // namespace
}  // namespace weft::testing_tools
