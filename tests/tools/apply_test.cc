// `weft apply` on every kind of input, with a pipeline that the test trains.
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/text/doc_bin.h"
#include "registry/value/json.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ApplyTest : public testing::Test {
 protected:
  // One pipeline for all tests.
  static void SetUpTestSuite() {
    const fs::path folder =
        fs::path(testing::TempDir()) / ("apply_test_pipeline." + std::to_string(getpid()));
    fs::remove_all(folder);
    fs::create_directories(folder);
    write_text(folder / "ner.cfg", small_config());
    write_text(folder / "train.conll", small_corpus(150));
    const Outcome trained = run_weft(
        {"train", (folder / "ner.cfg").string(), "--paths.train", (folder / "train.conll").string(),
         "--paths.dev", (folder / "train.conll").string(), "-o", (folder / "out").string(),
         "--training.max_steps", "100", "--training.eval_frequency", "100",
         "--training.optimizer.learn_rate", "0.01"});
    ASSERT_EQ(trained.code, 0) << trained.err;
    pipeline_ = (folder / "out/model-last").string();
  }

  void SetUp() override { folder_ = fresh_folder(); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Outcome apply(const std::string& input, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"apply", pipeline_, path(input)};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  static inline std::string pipeline_;
  fs::path folder_;
};

TEST_F(ApplyTest, TheNormsOfSpecialCasesReachTheModel) {
  write_text(folder_ / "in.txt", "I'm in Oslo.\n");
  ASSERT_EQ(apply("in.txt", {"-o", path("out.spacy")}).code, 0);
  DocBinReader reader(path("out.spacy"), std::make_shared<Vocab>("en"));
  const auto doc = reader.next();
  ASSERT_TRUE(doc);
  EXPECT_EQ(doc->word(1), "'m");
  EXPECT_EQ(doc->norm(1), "am");
  EXPECT_EQ(doc->norm(3), "oslo");
}

// spaCy's tokenizer puts a special case, " ", in the place of the first token, and takes its mark
// away.
TEST_F(ApplyTest, ABlankAtTheBeginningTakesTheSentenceMarkAway) {
  write_text(folder_ / "in.txt", " Oslo\nIn Oslo\n");
  ASSERT_EQ(apply("in.txt", {"-o", path("out.spacy")}).code, 0);
  DocBinReader reader(path("out.spacy"), std::make_shared<Vocab>("en"));
  const auto blank = reader.next(), plain = reader.next();
  ASSERT_TRUE(blank && plain);
  EXPECT_EQ(blank->sent_starts()[0], 0);
  EXPECT_EQ(plain->sent_starts()[0], 1);
}

TEST_F(ApplyTest, ALineOfTextGivesALineOfJson) {
  write_text(folder_ / "in.txt", "Ada went to Oslo.\n\nGrace went to Lima.\n");
  const Outcome outcome = apply("in.txt");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "{\"text\": \"Ada went to Oslo.\", \"tokens\": [\"Ada\", \"went\", \"to\", \"Oslo\", "
            "\".\"], \"spaces\": [true, true, true, false, false], \"ents\": [{\"start\": 0, "
            "\"end\": 1, \"start_char\": 0, \"end_char\": 3, \"label\": \"person\"}, {\"start\": "
            "3, \"end\": 4, \"start_char\": 12, \"end_char\": 16, \"label\": \"place\"}], "
            "\"cats\": {}}\n" +
                outcome.out.substr(outcome.out.find('\n') + 1));
  EXPECT_THAT(outcome.out, HasSubstr("\n{\"text\": \"Grace went"));
  EXPECT_EQ(run_weft({"predict", pipeline_, path("in.txt")}).out, outcome.out);
}

TEST_F(ApplyTest, EntitiesForPeopleActOnNoTerminal) {
  write_text(folder_ / "in.txt", "Ada went to Oslo.\n\x1B[31mno one\n");
  const Outcome outcome = apply("in.txt", {"--entities"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Ada went to Oslo.\n    person        Ada\n"
                                     "    place         Oslo\n\\u{1B}[31mno one\n"));
  EXPECT_EQ(apply("in.txt", {"--entities", "-o", path("out.conll")}).code, 2);
  EXPECT_EQ(apply("in.txt", {"--entities", "--json"}).code, 2);
}

TEST_F(ApplyTest, TheOutputsEndingChoosesTheFormatAndTheAnswersAreTheSame) {
  write_text(folder_ / "in.conll", small_corpus(7));
  ASSERT_EQ(apply("in.conll", {"-o", path("a.conll")}).code, 0);
  ASSERT_EQ(apply("in.conll", {"-o", path("a.spacy")}).code, 0);
  ASSERT_EQ(run_weft({"convert", path("a.spacy"), path("b.conll")}).code, 0);
  EXPECT_EQ(read_text(folder_ / "a.conll"), read_text(folder_ / "b.conll"));
  ASSERT_EQ(apply("a.spacy", {"-o", path("c.jsonl")}).code, 0);
  EXPECT_EQ(apply("in.conll", {"--threads", "3"}).out, read_text(folder_ / "c.jsonl"));
}

TEST_F(ApplyTest, TheAnnotationOfTheInputIsNotTakenOver) {
  write_text(folder_ / "gold.jsonl",
             "{\"tokens\": [\"Ada\", \"went\"], \"ner_tags\": [\"O\", \"B-odd\"], \"cats\": "
             "{\"x\": 1}}\n");
  write_text(folder_ / "plain.jsonl", "{\"tokens\": [\"Ada\", \"went\"]}\n");
  const Outcome outcome = apply("gold.jsonl");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::string plain = apply("plain.jsonl").out;
  plain.resize(plain.size() - 2);  // "}\n"
  EXPECT_EQ(outcome.out, plain + ", \"ner_tags\": [\"O\", \"B-odd\"]}\n");
}

TEST_F(ApplyTest, FieldsOfTheUserComeOutAgainInTheirOrder) {
  write_text(folder_ / "in.jsonl",
             "{\"id\": 12345678901234567890, \"text\": \"Ada\", \"meta\": {\"z\": [1.50, null], "
             "\"a\": \"\\u0007é\"}, \"lables\": [[0, 9, \"X\"]], \"answer\": \"reject\"}\n");
  const Outcome outcome = apply("in.jsonl");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\"cats\": {}, \"id\": 12345678901234567890, \"meta\": "
                                     "{\"z\": [1.5, null], \"a\": \"\\u0007é\"}, \"lables\": "
                                     "[[0, 9, \"X\"]], \"answer\": \"reject\"}\n"));
  ASSERT_EQ(apply("in.jsonl", {"-o", path("out.jsonl")}).code, 0);
  EXPECT_EQ(read_text(folder_ / "out.jsonl"), outcome.out);
  // Read as annotation, the mistyped key is named that the output carries along.
  const Outcome read = run_weft({"convert", path("out.jsonl"), path("out.spacy")});
  EXPECT_EQ(read.code, 3);
  EXPECT_THAT(read.err, HasSubstr("unknown key \"lables\""));
}

TEST_F(ApplyTest, EmptyLinesKeepTheirPlaceAsEmptyDocuments) {
  const std::string empty =
      "{\"text\": \"\", \"tokens\": [], \"spaces\": [], \"ents\": [], \"cats\": {}}";
  write_text(folder_ / "in.txt", "Ada\n\nGrace\n\n");
  write_text(folder_ / "in.jsonl", "{\"text\": \"Ada\"}\n\n{\"text\": \"Grace\"}\n \n");
  for (const char* input : {"in.txt", "in.jsonl"}) {
    const Outcome outcome = apply(input);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> lines;
    std::istringstream text(outcome.out);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 4u) << input;
    EXPECT_EQ(lines[1], empty) << input;
    EXPECT_THAT(lines[2], HasSubstr("Grace"));
    EXPECT_EQ(lines[3], empty) << input;
  }
}

TEST_F(ApplyTest, WordsOfSpacyAreAnsweredWithOurs) {
  write_text(folder_ / "in.txt", "Ada left.\n");
  const Outcome three = apply("in.txt", {path("out.jsonl")});
  EXPECT_EQ(three.code, 0) << three.err;
  EXPECT_THAT(read_text(folder_ / "out.jsonl"), HasSubstr("Ada left."));
  const std::string run = fs::path(pipeline_).parent_path().string();
  const Outcome folder = run_weft({"apply", run, path("in.txt")});
  EXPECT_EQ(folder.code, 2);
  EXPECT_THAT(folder.err, HasSubstr(run + " is the folder of a run; a pipeline of it is " + run +
                                    "/model-best"));
}

TEST_F(ApplyTest, NothingIsKeptWhereTheOutputIsTheNullDevice) {
  write_text(folder_ / "in.txt", "Ada left.\n");
  const Outcome outcome = apply("in.txt", {"-o", "/dev/null"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ApplyTest, BadRowsDoNotEndTheJob) {
  write_text(folder_ / "in.jsonl",
             "{\"text\": \"Ada\", \"id\": 1}\n{\"text\": \n{\"text\": \"Grace\", \"id\": 3}\n");
  const Outcome outcome = apply("in.jsonl", {"-o", path("out.jsonl"), "--on-error", "skip"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("in.jsonl:2"));
  const std::string out = read_text(folder_ / "out.jsonl");
  EXPECT_THAT(out, HasSubstr("\"id\": 1}\n{\"text\": \"Grace\""));
  EXPECT_THAT(out, HasSubstr("\"id\": 3}\n"));
}

TEST_F(ApplyTest, RecordsOfToolsAreAnnotatedToo) {
  write_text(folder_ / "in.json", R"([{"data": {"text": "Ada went."}, "annotations": [], "id": 7},
      {"data": {"text": "Grace went."}, "annotations": [], "id": 8}])");
  const Outcome outcome = apply("in.json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("{\"text\": \"Ada went.\", \"tokens\": [\"Ada\""));
  EXPECT_THAT(outcome.out, HasSubstr("\"id\": 8}"));
}

TEST_F(ApplyTest, ControlCharactersAreEscaped) {
  write_text(folder_ / "in.txt", "Ada \x1b[31m \x7f \xc2\x9b went\n");
  const Outcome outcome = apply("in.txt");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Ada \\u001b[31m \\u007f \\u009b went"));
  const auto value = parse_json(outcome.out);
  ASSERT_TRUE(value);
  EXPECT_EQ(value->as_object().find("text")->as_string(), "Ada \x1b[31m \x7f \xc2\x9b went");
}

TEST_F(ApplyTest, BadInputIsNamedAndLeavesNothingBehind) {
  EXPECT_EQ(apply("absent.txt").code, 2);
  write_text(folder_ / "in.txt", "Ada\n\xff\n");
  const Outcome invalid = apply("in.txt", {"-o", path("a.jsonl")});
  EXPECT_EQ(invalid.code, 3);
  EXPECT_THAT(invalid.err, HasSubstr("in.txt:2"));
  EXPECT_FALSE(fs::exists(folder_ / "a.jsonl"));
  write_text(folder_ / "in.jsonl", "{\"text\": \"Ada\"}\n{\"text\": \n");
  const Outcome malformed = apply("in.jsonl");
  EXPECT_EQ(malformed.code, 3);
  EXPECT_THAT(malformed.err, HasSubstr("in.jsonl:2"));
  EXPECT_EQ(apply("in.jsonl", {"-o", path("a.docx")}).code, 2);
  EXPECT_EQ(run_weft({"apply", path("absent"), path("in.jsonl")}).code, 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

}  // namespace
}  // namespace weft::testing_tools
