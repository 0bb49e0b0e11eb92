// CoNLL-U, shards and folders by way of `weft convert`; the same files read by spaCy are compared
// by tests/spacy/same_conllu.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kConllu =
    "1\tI\tI\tPRON\tPRP\tCase=Nom\t4\tnsubj\t_\tU-PERSON\n"
    "2-3\tcannot\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "2\tcan\tcan\tAUX\tMD\t_\t4\taux\t_\t_\n3\tnot\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_\n"
    "4\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n"
    "1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n";

class ConlluCommand : public testing::Test {
 protected:
  void SetUp() override { folder_ = fresh_folder(); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    write_text(folder_ / name, text);
  }

  Outcome convert(const std::string& from, const std::string& to,
                  std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"convert", path(from), path(to)};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  std::string converted(const std::string& from, const std::string& to,
                        std::vector<std::string> more = {}) const {
    const Outcome outcome = convert(from, to, std::move(more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? read_text(folder_ / to) : "";
  }

  fs::path folder_;
};

TEST_F(ConlluCommand, OptionsAreThoseOfSpacy) {
  write("in.conllu", kConllu);
  EXPECT_THAT(converted("in.conllu", "a.jsonl"), HasSubstr("\"PERSON\""));
  EXPECT_THAT(convert("in.conllu", "b.spacy").err, HasSubstr("2 documents, 5 tokens, 1 entities"));
  EXPECT_THAT(convert("in.conllu", "b.spacy", {"-n", "2", "-T", "-m"}).err,
              HasSubstr("1 documents, 4 tokens"));
  write("map.json", R"({"PERSON": "PER"})");
  EXPECT_THAT(converted("in.conllu", "a.jsonl", {"--ner-map", path("map.json")}),
              HasSubstr("\"PER\""));
  write("map.json", R"({"PERSON": 7})");
  EXPECT_EQ(convert("in.conllu", "a.jsonl", {"--ner-map", path("map.json")}).code, 3);
  fs::copy_file(folder_ / "in.conllu", folder_ / "in.data");
  for (const char* name : {"conllu", "conllubio"}) {
    EXPECT_EQ(convert("in.data", "b.spacy", {"-c", name}).code, 0) << name;
  }
  EXPECT_EQ(convert("in.data", "b.spacy").code, 2);
}

TEST_F(ConlluCommand, WhatIsWrittenComesBack) {
  write("in.conllu", kConllu);
  const std::string first = converted("in.conllu", "a.conllu");
  EXPECT_EQ(converted("a.conllu", "b.conllu"), first);
  // Documents of two sentences are told apart.
  EXPECT_THAT(converted("in.conllu", "c.conllu", {"-n", "2"}), HasSubstr("# newdoc\n"));
}

TEST_F(ConlluCommand, FaultsNameFileAndLine) {
  write("in.conllu", std::string(kConllu) + "2\tno\n");
  const Outcome outcome = convert("in.conllu", "a.spacy");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("in.conllu:8"));
  EXPECT_FALSE(fs::exists(folder_ / "a.spacy"));
  EXPECT_EQ(convert("in.conllu", "a.spacy", {"--on-error", "skip"}).code, 3);
  EXPECT_TRUE(fs::exists(folder_ / "a.spacy"));
}

TEST_F(ConlluCommand, AFolderIsOfTheFormatOfItsFiles) {
  write("in/a.conllu", kConllu);
  write("in/deep/b.conllu", kConllu);
  write("in/README", "no document");
  EXPECT_THAT(convert("in", "a.spacy").err, HasSubstr("4 documents"));
  write("in/c.txt", "a text\n");
  const Outcome mixed = convert("in", "a.spacy");
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.err, HasSubstr("several formats: a.conllu is conllu, c.txt is text;"));
  EXPECT_THAT(convert("in", "a.spacy", {"-c", "conllu"}).err, HasSubstr("4 documents"));
  EXPECT_EQ(convert("in", "a.spacy", {"-c", "conll"}).code, 2);
  write("none/README", "");
  EXPECT_EQ(convert("none", "a.spacy").code, 2);
}

// Both formats have one ending, so that files are named.
TEST_F(ConlluCommand, AFolderOfRowsAndTokensNamesAFileOfEach) {
  write("in/rows.csv", "text,label\na text,A\n");
  write("in/tokens.csv", "Sentence #,Word,POS,Tag\nSentence: 1,Ada,NNP,B-per\n");
  const Outcome outcome = convert("in", "a.spacy");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("several formats: rows.csv is csv, tokens.csv is conll;"));
}

TEST_F(ConlluCommand, AFormatThatThereIsNotIsNamed) {
  write("in.conllu", kConllu);
  const Outcome outcome = convert("in.conllu", "a.jsonl", {"-t", "x"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the format .x: documents are written as .spacy"));
  EXPECT_EQ(outcome.err.find("a.jsonl"), outcome.err.npos) << outcome.err;
}

TEST_F(ConlluCommand, FilesOfTextInAFolderAreOneCorpus) {
  write("conll/a.conll", "Ada\tB-PER\n");
  write("conll/b.conll", "Bob\tB-PER\n\nEve\tO\n");
  write("jsonl/a.jsonl", "{\"text\": \"Ada\"}\n");
  write("jsonl/b.jsonl", "{\"text\": \"Bob\"}\n{\"text\": \"Eve\"}\n");
  write("txt/a.txt", "Ada\nBob\n");
  write("txt/b.txt", "Eve\n");
  for (const char* name : {"conll", "jsonl", "txt"}) {
    EXPECT_THAT(convert(name, "a.spacy", {"--lang", "en"}).err, HasSubstr("3 documents, 3 tokens"))
        << name;
  }
}

TEST_F(ConlluCommand, ShardsAreAFolderOfTheirOwn) {
  write("in.conll", small_corpus(25));
  EXPECT_EQ(convert("in.conll", "out", {"--shard-size", "10"}).code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "out/part-00003.spacy"));
  EXPECT_FALSE(fs::exists(folder_ / "out/part-00004.spacy"));
  EXPECT_THAT(convert("out", "back.jsonl").err, HasSubstr("25 documents"));
  const Outcome again = convert("in.conll", "out", {"--shard-size", "10"});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("is there already"));
  EXPECT_THAT(convert("in.conll", "x.spacy", {"--shard-size", "10"}).err,
              HasSubstr("is the name of a file"));
  EXPECT_EQ(convert("in.conll", "new", {"--shard-size", "0"}).code, 2);
}

}  // namespace
}  // namespace weft::testing_tools
