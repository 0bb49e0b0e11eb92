#include "framework/text/conll_writer.h"

#include <memory>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "framework/text/conll.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

class ConllWriterTest : public ::testing::Test {
 protected:
  StringId id(const char* text) { return vocab_->strings().add(text); }

  std::string written(const Doc& doc, bool docstart = false) {
    std::ostringstream out;
    ConllWriter(out, docstart).add(doc);
    return out.str();
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(ConllWriterTest, WritesIob2AndSentences) {
  Doc doc = Doc::from_words(vocab_, {"Ada", "Smith", "Oslo", "left", "EU"});
  doc.set_ents({{0, 2, id("PER")}, {2, 3, id("LOC")}, {4, 5, id("ORG")}});
  doc.set_sent_starts({1, -1, -1, -1, 1});
  EXPECT_EQ(written(doc), "Ada\tB-PER\nSmith\tI-PER\nOslo\tB-LOC\nleft\tO\n\nEU\tB-ORG\n\n");
  EXPECT_EQ(written(doc, true).substr(0, 15), "-DOCSTART-\tO\n\nA");
}

TEST_F(ConllWriterTest, ColumnsThatBreakARowAreRefused) {
  Doc doc = Doc::from_words(vocab_, {"Ada"});
  doc.set_ents({{0, 1, id("PE\rR")}});
  EXPECT_THROW(written(doc), Error);
  doc.set_ents({{0, 1, id("PER")}});
  doc.set_column(Attr::tag, {id("N\tN")});
  EXPECT_THROW(written(doc), Error);
  doc.set_column(Attr::tag, {id("NN")});
  EXPECT_EQ(written(doc), "Ada\tNN\tB-PER\n\n");
}

TEST_F(ConllWriterTest, TokensWithoutAnnotationAreTold) {
  Doc doc = Doc::from_words(vocab_, {"Ada", "left"});
  EXPECT_EQ(written(doc), "Ada\t-\nleft\t-\n\n");
  doc.set_ents({{0, 1, id("PER")}}, EntsDefault::missing);
  EXPECT_EQ(written(doc), "Ada\tB-PER\nleft\t-\n\n");
  doc.set_ents({}, EntsDefault::blocked);
  EXPECT_EQ(written(doc), "Ada\tO\nleft\tO\n\n") << "the format cannot say that";
}

TEST_F(ConllWriterTest, AnEntityThatBeginsWithWhiteSpaceStillBegins) {
  Doc doc = Doc::from_words(vocab_, {" ", "Ada", "Smith", "\n"}, {false, true, false, false});
  doc.set_ents({{0, 3, id("PER")}});
  EXPECT_EQ(written(doc), "Ada\tB-PER\nSmith\tI-PER\n\n");
  EXPECT_EQ(written(Doc::from_words(vocab_, {" "}, {false})), "") << "nothing but white space";
}

TEST_F(ConllWriterTest, PartsOfSpeechStandBetween) {
  Doc doc = Doc::from_words(vocab_, {"Ada", "left"});
  doc.set_column(Attr::tag, {id("NNP"), 0});
  doc.set_ents({});
  EXPECT_EQ(written(doc), "Ada\tNNP\tO\nleft\t_\tO\n\n");
  std::ostringstream out;
  ConllWriter writer(out, false);
  writer.add(doc);
  writer.add(Doc::from_words(vocab_, {"x"}));
  EXPECT_EQ(out.str(), "Ada\tNNP\tO\nleft\t_\tO\n\nx\t_\t-\n\n") << "the first document decides";
}

TEST_F(ConllWriterTest, RefusesWhatTheFormatCannotHold) {
  for (const char* word : {"a\tb", "a\nb", "a\rb"}) {
    EXPECT_THROW(written(Doc::from_words(vocab_, {word})), Error) << word;
  }
}

TEST_F(ConllWriterTest, TheReaderGivesTheSameBack) {
  Doc doc = Doc::from_words(vocab_, {"Zoë", "Åberg", "left", "!", "Why", "?"});
  doc.set_ents({{0, 2, id("PER")}});
  doc.set_sent_starts({1, -1, -1, -1, 1, -1});
  const std::string path = file_with("again.conll", written(doc, true));
  ConllReader reader(path, vocab_, {.sents_per_doc = 1, .prefer_docstart = true});
  const auto again = reader.next();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->text(), doc.text());
  EXPECT_EQ(again->ents(), doc.ents());
  EXPECT_EQ(again->sents(), doc.sents());
  EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace weft
