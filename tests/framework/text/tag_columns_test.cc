// Columns of files with a token on each line: by their header, or by their places.
#include "framework/text/tag_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/biluo.h"
#include "framework/text/conll.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string entity_tag(const Doc& doc, int token) {
  const std::string label(doc.string(doc.ent_type(token)));
  switch (doc.ent_iob(token)) {
    case Iob::missing:
      return "-";
    case Iob::out:
      return "O";
    case Iob::in:
      return "I-" + label;
    case Iob::begin:
      break;
  }
  return "B-" + label;
}

// "word/tag/pos" of each token, sentences parted by "|".
std::vector<std::string> read(const std::string& name, const std::string& text) {
  ConllReader reader(file_with(name, text), std::make_shared<Vocab>("en"));
  std::vector<std::string> sentences;
  while (const auto doc = reader.next()) {
    std::string sentence;
    for (int i = 0; i < doc->size(); ++i) {
      sentence += (i > 0 ? " " : "") + std::string(doc->word(i)) + "/" + entity_tag(*doc, i);
      const auto pos = doc->string(doc->value(Attr::tag, i));
      if (!pos.empty()) sentence += "/" + std::string(pos);
    }
    sentences.push_back(sentence);
  }
  return sentences;
}

std::string error_of(const std::string& name, const std::string& text) {
  try {
    read(name, text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

TEST(TagColumnsTest, AHeaderNamesColumnsInAnyOrder) {
  EXPECT_THAT(read("a.csv", "Tag,id,Word,POS\nB-X,7,Ada,NNP\nO,8,left,VBD\n"),
              ElementsAre("Ada/B-X/NNP left/O/VBD"));
  EXPECT_THAT(read("a.tsv", "token\tner\nAda\tB-X\n\nleft\tO\n"), ElementsAre("Ada/B-X", "left/O"));
  EXPECT_THAT(read("a.csv", "token;label\nAda;B-X\n"), ElementsAre("Ada/B-X"));
}

TEST(TagColumnsTest, AColumnOfSentencesPartsThem) {
  EXPECT_THAT(read("a.csv", "Sentence #,Word,Tag\nSentence: 1,a,O\n,b,O\nSentence: 2,c,O\n"),
              ElementsAre("a/O b/O", "c/O"));
  EXPECT_THAT(read("a.csv", "word,tag,sent_id\na,O,1\nb,O,1\nc,O,2\n"),
              ElementsAre("a/O b/O", "c/O"));
}

TEST(TagColumnsTest, CellsMayBeInQuotes) {
  EXPECT_THAT(read("a.csv", "word,tag\n\"a,b\",O\n\"\"\"\",\"B-X\"\n,\n\"c\",O\n"),
              ElementsAre("a,b/O \"/B-X", "c/O"));
  EXPECT_THAT(error_of("a.csv", "word,tag\n\"a,O\n"), HasSubstr("a.csv:2:1  a cell in quotes"));
  EXPECT_THAT(error_of("a.csv", "word,tag\n\"a\"b,O\n"), HasSubstr("behind a cell in quotes"));
}

TEST(TagColumnsTest, WithoutAHeaderPlacesCount) {
  EXPECT_THAT(read("a.csv", "Ada,NNP,B-X\nleft,VBD,O\n"), ElementsAre("Ada/B-X/NNP left/O/VBD"));
  EXPECT_THAT(read("a.conll", "\" O\n, O\n\"a,b O\n"), ElementsAre("\"/O ,/O \"a,b/O"));
  EXPECT_THAT(read("a.conll", ",\tO\na\tB-X\n"), ElementsAre(",/O a/B-X"));
}

TEST(TagColumnsTest, BlanksAroundCellsAreNoPartOfThem) {
  EXPECT_THAT(read("a.conll", "Ada\tNNP \tB-X \n left\tVBD\tO\t\n"),
              ElementsAre("Ada/B-X/NNP left/O/VBD"));
  EXPECT_THAT(read("b.conll", "Ada\tB-X\t\nleft\tO\t \n"), ElementsAre("Ada/B-X left/O"));
}

TEST(TagColumnsTest, FaultsHaveALineAndANearName) {
  EXPECT_THAT(error_of("a.csv", "\nword,lable\na,O\n"), HasSubstr("a.csv:2:1"));
  EXPECT_THAT(error_of("a.csv", "word,lable\na,O\n"), HasSubstr("did you mean label"));
  EXPECT_THAT(error_of("a.tsv", "wrod\ttag\na\tO\n"), HasSubstr("did you mean word"));
  EXPECT_THAT(error_of("a.csv", "word,tag\na\n"),
              HasSubstr("a line with 1 column; the header has 2"));
  EXPECT_THAT(error_of("a.csv", "word,tag\n,O\n"), HasSubstr("a line without a word"));
}

TEST(TagColumnsTest, TablesOfTextsAreNotTakenForTokens) {
  EXPECT_TRUE(looks_like_tag_csv("Sentence #,Word,POS,Tag"));
  EXPECT_TRUE(looks_like_tag_csv("\"a,b\",B-X"));
  for (const char* line : {"text,label", "I won the match,sports", "word", "a\tO", ""}) {
    EXPECT_FALSE(looks_like_tag_csv(line)) << line;
  }
}

TEST(TagColumnsTest, TextsWithLabelsHaveAnotherConverter) {
  EXPECT_THAT(error_of("a.tsv", "text\tlabel\nAda left.\tsports\n"),
              HasSubstr("texts with labels are read by --converter tsv"));
}

}  // namespace
}  // namespace weft
