// `weft apply` on every kind of input, with a pipeline that the test trains.
#include <iterator>

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
             "{\"words\": [\"Ada\", \"went\"], \"ner_tags\": [\"O\", \"B-odd\"], \"cats\": "
             "{\"x\": 1}}\n");
  write_text(folder_ / "plain.jsonl", "{\"words\": [\"Ada\", \"went\"]}\n");
  const Outcome outcome = apply("gold.jsonl");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, apply("plain.jsonl").out);
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
