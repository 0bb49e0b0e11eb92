#include "framework/text/conll.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Conll : public ::testing::Test {
 protected:
  std::string file(const std::string& text) {
    const auto path = std::filesystem::path(::testing::TempDir()) /
                      ("conll_test-" + std::to_string(::getpid()) + ".conll");
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  std::vector<Doc> docs(const std::string& text, ConllOptions options = {}) {
    ConllReader reader(file(text), vocab_, options);
    std::vector<Doc> docs;
    while (auto doc = reader.next()) docs.push_back(std::move(*doc));
    return docs;
  }

  std::string error_of(const std::string& text, ConllOptions options = {}) {
    try {
      docs(text, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return std::to_string(error.place().line) + ": " + error.what();
    }
    return "no error";
  }

  static std::string tags(const Doc& doc) {
    std::string all;
    for (const std::string& tag : biluo_strings(doc)) all += (all.empty() ? "" : " ") + tag;
    return all;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(Conll, ASentenceIsADocument) {
  const auto all = docs("New\tB-LOC\nYork\tI-LOC\n!\tO\n\n\nParis\tB-LOC\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].text(), "New York ! ");
  EXPECT_TRUE(all[0].has_unknown_spaces());
  EXPECT_EQ(tags(all[0]), "B-LOC L-LOC O");
  EXPECT_EQ(tags(all[1]), "U-LOC");
}

TEST_F(Conll, GroupsSentences) {
  const auto all = docs("a O\n\nb O\nc O\n\nd O\n", {.sents_per_doc = 2});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].size(), 3);
  EXPECT_THAT(all[0].sent_starts(), ElementsAre(1, 1, -1));
  EXPECT_EQ(all[1].word(0), "d");
}

TEST_F(Conll, DocStartEndsADocument) {
  const std::string text =
      "-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\n\nx NN I-NP O\n\n-DOCSTART- -X- O O\n\ny NN I-NP "
      "O\n";
  EXPECT_EQ(docs(text).size(), 3u);
  const auto all = docs(text, {.sents_per_doc = 0});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].size(), 2);
  EXPECT_EQ(all[0].string(all[0].value(Attr::tag, 0)), "NNP");
  EXPECT_EQ(docs(text, {.sents_per_doc = 1, .prefer_docstart = true}).size(), 2u);
  EXPECT_EQ(docs("\n \n" + text, {.sents_per_doc = 1, .prefer_docstart = true}).size(), 2u);
}

TEST_F(Conll, DocStartMarksDocumentsWhereverItStands) {
  EXPECT_TRUE(marks_documents(file_with("a.conll", "a O\n\n-DOCSTART- -X- O O\n\nb O\n")));
  EXPECT_FALSE(marks_documents(file_with("b.conll", "a O\n\n x -DOCSTART- O\n")));
  EXPECT_FALSE(marks_documents("/no/such/file"));
}

TEST_F(Conll, ReadsEveryScheme) {
  EXPECT_EQ(tags(docs("a I-X\nb I-X\nc B-X\nd O\n")[0]), "B-X L-X U-X O") << "IOB1";
  EXPECT_EQ(tags(docs("a B-X\nb I-X\nc B-X\nd I-Y\n")[0]), "B-X L-X U-X U-Y");
  EXPECT_EQ(tags(docs("a B-X\nb I-X\nc L-X\nd U-Y\n")[0]), "B-X I-X L-X U-Y") << "BILUO";
  EXPECT_EQ(tags(docs("a -\nb U-x-y\nc O\n")[0]), "- U-x-y O") << "missing, hyphen in a label";
}

TEST_F(Conll, FaultsHaveALine) {
  EXPECT_THAT(error_of("a O\n\nb\n"), HasSubstr("3: "));
  EXPECT_THAT(error_of("a O\nb x O\n"), HasSubstr("3 columns after lines with 2"));
  EXPECT_THAT(error_of("a b c d O\n"), HasSubstr("5 columns"));
  EXPECT_THAT(error_of("a O\nb X-PER\n"), HasSubstr("2: "));
  EXPECT_THAT(error_of("a O\nb B-\n"), HasSubstr("2: "));
  EXPECT_THAT(error_of("a O\nb L-PER\n"), HasSubstr("ends an entity that was not begun"));
  EXPECT_THAT(error_of("a O\nb I-PER\n", {.scheme = TagScheme::iob2}), HasSubstr("2: "));
  EXPECT_THAT(error_of("a B-PER\nb O\n", {.scheme = TagScheme::biluo}), HasSubstr("2: "));
  EXPECT_THAT(error_of("a B-PER\n\nb O\n", {.scheme = TagScheme::biluo}), HasSubstr("1: "));
  EXPECT_THAT(error_of("a O\nb\xFF O\n"), HasSubstr("2: "));
  EXPECT_THAT(error_of("a\tO\n\tO\n"), HasSubstr("without a word"));
}

TEST_F(Conll, FaultsOfAWholeLineStandAtItsFirstColumn) {
  for (const char* text : {"a O\nb\n", "a O\nb x O\n", "a\tO\n\tO\n", "a O\nb X-PER\n"}) {
    try {
      docs(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.place().line, 2) << text;
      EXPECT_EQ(error.place().column, 1) << text;
    }
  }
}

TEST_F(Conll, LineEndsByteOrderMarkAndEmptyFiles) {
  const auto all = docs(
      "\xEF\xBB\xBF"
      "a\tO\r\n\r\nb\tB-X\r\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].word(0), "a");
  EXPECT_EQ(tags(all[1]), "U-X");
  EXPECT_TRUE(docs("").empty());
  EXPECT_TRUE(docs("\n \n\n").empty());
  EXPECT_THROW(ConllReader("/no/such/file", vocab_), Error);
}

TEST_F(Conll, AColumnThatCountsTheTokensIsNotTakenForTheWords) {
  EXPECT_THAT(error_of("1\tAda\tB-PER\n2\tleft\tO\n"),
              HasSubstr(":1:1  the first column counts the tokens"));
  EXPECT_THAT(error_of("-DOCSTART-\n\n0 Ada NNP B-PER\n1 left VBD O\n"),
              HasSubstr("the first column counts the tokens"));
  EXPECT_EQ(docs("id\tword\ttag\n1\tAda\tB-PER\n2\tleft\tO\n")[0].word(1), "left");
  EXPECT_EQ(docs("1\tO\n2\tO\n").size(), 1U) << "words that are numbers";
  EXPECT_EQ(docs("1\t1\tO\n2\t2\tO\n").size(), 1U);
  EXPECT_EQ(docs("1\tCD\tO\n").size(), 1U) << "one token says too little";
  EXPECT_EQ(docs("a\tDT\tO\n\n1\tCD\tO\n2\tCD\tO\n").size(), 2U) << "a later sentence";
}

// Tags and other columns are as long as lines may be.
TEST_F(Conll, LinesAreChargedAsAWhole) {
  const std::string label(100000, 'A');
  std::string rows;
  for (int i = 0; i < 6; ++i) rows += "w B-" + label + "\n";
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "1", 1), 0);
  EXPECT_THAT(error_of(rows), HasSubstr("the tokens of a document would take more memory than"));
  const auto all = docs("w B-" + label + "\n\nw B-" + label + "\n");
  EXPECT_EQ(all.size(), 2U) << "one document at a time";
  ConllReader reader(file(rows + "\nParis B-LOC\n\n" + rows.substr(0, rows.size() / 2)), vocab_);
  EXPECT_THROW(reader.next(), Error);
  EXPECT_TRUE(reader.skip_row());
  EXPECT_EQ(reader.next()->text(), "Paris ") << "the sentence before it is not charged any more";
  EXPECT_EQ(reader.next()->size(), 3);
  ::unsetenv("WEFT_READ_MIB");
}

// As old Macs and some spreadsheets end lines: the file would be one line.
TEST_F(Conll, CarriageReturnsWithinLinesAreRefused) {
  for (const char* text : {"Ada B-PER\rleft O\r\rRome B-LOC\r", "a O\nb O\rc O\n",
                           "-DOCSTART- -X- O\r\rAda B-PER\r"}) {
    EXPECT_THAT(error_of(text), HasSubstr("a carriage return inside of a line; `tr")) << text;
  }
  EXPECT_EQ(tags(docs("Ada B-PER\r\n\r\n").at(0)), "U-PER");
}

}  // namespace
}  // namespace weft
