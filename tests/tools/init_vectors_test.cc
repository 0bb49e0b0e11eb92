// `weft init vectors` with tables of NumPy and the words of their rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/npy.h"
#include "framework/text/vectors_file.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class InitVectorsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_npy_matrix(folder_ / "table.npy", Tensor::from<float>({3, 2}, {0, 0, 1, 2, 3, 4}));
    write_text(folder_ / "words.jsonl",
               "{\"orth\": \"a\", \"id\": 1}\n{\"orth\": \"b\", \"id\": 2}\n");
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Outcome init(const std::string& file, const std::vector<std::string>& more,
               const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> words = {"init", "vectors", "en", path(file), path("out")};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words, environment);
  }
  fs::path folder_;
};

TEST_F(InitVectorsTest, ATableOfNumPyHasItsWordsElsewhere) {
  EXPECT_THAT(init("table.npy", {}).err, HasSubstr("holds numbers without words"));
  const Outcome outcome = init("table.npy", {"-j", path("words.jsonl")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Vectors vectors = read_vectors(folder_ / "out/vocab");
  const int row = vectors.row_of(string_id("b"));
  ASSERT_GE(row, 0);
  EXPECT_EQ(vectors.table().data<float>()[2 * row], 3.0F);
}

// It is the language of the vectors' pipeline, which spaCy is to read too.
TEST_F(InitVectorsTest, ALanguageWithoutRulesOfItsOwnIsTold) {
  const std::string out = path("out");
  const Outcome outcome =
      run_weft({"init", "vectors", "tlh", path("table.npy"), out, "-j", path("words.jsonl")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("\"tlh\" has no tokenizer rules of its own"));
}

// As in spaCy: lexemes get the ids of the lines one after the other, and 0 is no row.
TEST_F(InitVectorsTest, OfSeveralRowsOfAWordTheLastCounts) {
  write_text(
      folder_ / "twice.jsonl",
      "{\"orth\": \"a\", \"id\": 9}\n{\"orth\": \"b\", \"id\": 2}\n{\"orth\": \"a\", \"id\": 1}\n"
      "{\"orth\": \"a\"}\n{\"orth\": \"b\", \"id\": 0}\n");
  const Outcome outcome = init("table.npy", {"-j", path("twice.jsonl")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Vectors vectors = read_vectors(folder_ / "out/vocab");
  const int row = vectors.row_of(string_id("a"));
  ASSERT_GE(row, 0);
  EXPECT_EQ(vectors.table().data<float>()[2 * row], 1.0F);
  EXPECT_EQ(vectors.row_of(string_id("b")), -1);
}

TEST_F(InitVectorsTest, NoneToPruneOrTruncateMeansAll) {
  write_text(folder_ / "text.txt", "a 1 2\nb 3 4\n");
  const Outcome outcome = init("text.txt", {"--prune", "0", "--truncate", "0"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_vectors(folder_ / "out/vocab").rows(), 2);
}

TEST_F(InitVectorsTest, OptionsThatATableDoesNotFollowAreRefused) {
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--truncate", "1"}, {"--mode", "floret"}, {"--attr", "LOWER"}}) {
    std::vector<std::string> words = option;
    words.insert(words.end(), {"-j", path("words.jsonl")});
    const Outcome outcome = init("table.npy", words);
    EXPECT_EQ(outcome.code, 2) << option[0];
    EXPECT_THAT(outcome.err, HasSubstr(option[0]));
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  write_text(folder_ / "text.txt", "a 1 2\n");
  const Outcome huge = init("text.txt", {"--truncate", "1000000000000"});
  EXPECT_THAT(huge.err, HasSubstr("to 2147483647, not 1000000000000"));
}

// Vectors that no pipeline could use are not written.
TEST_F(InitVectorsTest, FloretIsLookedUpByTextThatEveryTokenHas) {
  write_text(folder_ / "floret.txt", "1 2 2 3 1 0 < >\n0 1 2\n");
  for (const char* attr : {"SHAPE", "PREFIX", "SUFFIX", "LEMMA"}) {
    const Outcome outcome = init("floret.txt", {"--mode", "floret", "--attr", attr});
    EXPECT_EQ(outcome.code, 2) << attr;
    EXPECT_THAT(outcome.err, HasSubstr("--attr is ORTH, LOWER or NORM with --mode floret, not"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_EQ(init("floret.txt", {"--mode", "floret", "--attr", "NORM"}).code, 0);
  EXPECT_EQ(read_vectors(folder_ / "out/vocab").attr(), Attr::norm);
}

TEST_F(InitVectorsTest, ByKeyAnyTextOfATokenMayBeTheKey) {
  write_text(folder_ / "text.txt", "a 1 2\nb 3 4\n");
  const Outcome number = init("text.txt", {"--attr", "LENGTH"});
  EXPECT_EQ(number.code, 2);
  EXPECT_THAT(number.err, HasSubstr("--attr is ORTH, LOWER, NORM, SHAPE"));
  EXPECT_EQ(init("text.txt", {"--attr", "SHAPE"}).code, 0);
  EXPECT_EQ(read_vectors(folder_ / "out/vocab").attr(), Attr::shape);
}

TEST_F(InitVectorsTest, WordsWithoutAnyRowAreRefused) {
  write_text(folder_ / "none.jsonl", "{\"orth\": \"a\", \"id\": 0}\n");
  const Outcome outcome = init("table.npy", {"-j", path("none.jsonl")});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("none.jsonl: no word has a row above 0"));
}

TEST_F(InitVectorsTest, WordsTakeBoundedMemory) {
  std::string lines;
  for (int i = 0; i < 20'000; ++i) lines += "{\"orth\": \"a\"}\n";
  write_text(folder_ / "many.jsonl", lines);
  const Outcome outcome = init("table.npy", {"-j", path("many.jsonl")}, {"WEFT_READ_MIB=1"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("the words"));
}

TEST_F(InitVectorsTest, FaultsOfTextNameTheFile) {
  write_text(folder_ / "large.txt", "9223372036854775808 2\na 1 2\n");
  EXPECT_THAT(init("large.txt", {}).err, HasSubstr("large.txt:1"));
  write_text(folder_ / "word2vec.txt", "1 2\na 1 2\n");
  EXPECT_THAT(init("word2vec.txt", {"--mode", "floret"}).err, HasSubstr("no header of floret"));
  write_text(folder_ / "floret.txt", "1 2 5 3 1 0 < >\n0 1 2\n");
  const Outcome floret = init("floret.txt", {"--mode", "floret"});
  EXPECT_EQ(floret.code, 3);
  EXPECT_THAT(floret.err, HasSubstr("floret.txt: word vectors: maxn 3 is below minn 5"));
}

}  // namespace
}  // namespace weft::testing_tools
