#include "framework/text/iob_line_reader.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Doc> docs(const std::string& text, IobLineOptions options = {}) {
  IobLineReader reader(file_with("in.iob", text), std::make_shared<Vocab>("en"), options);
  std::vector<Doc> docs;
  while (auto doc = reader.next()) docs.push_back(std::move(*doc));
  return docs;
}

std::string error_of(const std::string& text) {
  try {
    docs(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

TEST(IobLines, ALineIsASentence) {
  const auto all = docs("I|O like|O New|B-GPE York|I-GPE .|O\n\nAnna|I-PER ||O\r\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(biluo_strings(all[0]), ElementsAre("O", "O", "B-GPE", "L-GPE", "O"));
  EXPECT_TRUE(all[0].has_unknown_spaces());
  EXPECT_EQ(all[1].word(1), "|");
}

TEST(IobLines, ThreePartsHaveATag) {
  const Doc doc = docs("like|VBP|O a|b|NN|O\n")[0];
  EXPECT_EQ(doc.word(1), "a|b");
  EXPECT_EQ(doc.string(doc.value(Attr::tag, 0)), "VBP");
}

TEST(IobLines, EachLineHasTagsOrNot) {
  const Doc doc = docs("like|VBP|O\nb|B-X\nc|NN|O\n", {TagScheme::any, 3})[0];
  EXPECT_EQ(doc.string(doc.value(Attr::tag, 0)), "VBP");
  EXPECT_EQ(doc.value(Attr::tag, 1), 0u);
  EXPECT_EQ(doc.string(doc.value(Attr::tag, 2)), "NN");
}

TEST(IobLines, SentencesAreGrouped) {
  const auto all = docs("a|B-X\nb|I-X c|O\nd|O\n", {TagScheme::any, 2});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(all[0].sent_starts(), ElementsAre(1, 1, -1));
  EXPECT_THAT(biluo_strings(all[0]), ElementsAre("U-X", "U-X", "O"))
      << "no entity goes on over the end of a sentence";
}

TEST(IobLines, TokensStandBetweenWhiteSpaceOfAnyKind) {
  const auto all = docs(
      "a|O\u3000b|B-X\u2028c|I-X\u0085d|O\x1c"
      "e|O\u00a0f|O\n\u2028\ng|O\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(biluo_strings(all[0]), ElementsAre("O", "B-X", "L-X", "O", "O", "O"));
  EXPECT_EQ(all[0].word(5), "f");
  EXPECT_EQ(all[1].word(0), "g");
}

TEST(IobLines, FaultsHaveALine) {
  EXPECT_THAT(error_of("a|O\nb\n"), HasSubstr("in.iob:2  \"b\" has no tag"));
  EXPECT_THAT(error_of("b\tB-X\r\n"), HasSubstr("\"b\" has no tag; a word and its tag on each line "
                                                "are read by --converter conll"));
  EXPECT_THAT(error_of("a|O b|NN|O\n"), HasSubstr("3 parts behind tokens of its line with 2"));
  EXPECT_THAT(error_of("a|O\nb|L-X\n"), HasSubstr("in.iob:2"));
  EXPECT_THAT(error_of("a|Q\n"), HasSubstr("in.iob:1"));
  EXPECT_THAT(error_of("\xFF|O\n"), HasSubstr("UTF-8"));
  EXPECT_THAT(error_of("a|B-X b|O\rc|O\r"), HasSubstr("in.iob:1  a carriage return inside of"));
  EXPECT_THROW(IobLineReader("/no/such/file", std::make_shared<Vocab>()), Error);
}

TEST(IobLines, AreToldFromColumns) {
  EXPECT_TRUE(looks_like_iob_lines(file_with("a", "\nx|O y|O\n")));
  EXPECT_FALSE(looks_like_iob_lines(file_with("a", "x\tO\n| O\n")));
  EXPECT_FALSE(looks_like_iob_lines(file_with("a", "|\tO\n")));
  EXPECT_FALSE(looks_like_iob_lines(file_with("a", "")));
  EXPECT_FALSE(looks_like_iob_lines(file_with("a", "x\xff|O\n")));
  EXPECT_TRUE(looks_like_tag_lines(file_with("a", "\nx\tO\n")));
  EXPECT_FALSE(looks_like_tag_lines(file_with("a", "x|O y|O\n")));
}

TEST(IobLines, ALineThatIsLeftOutIsNotCharged) {
  std::string large;
  for (int i = 0; i < 1400; ++i) large += "w|O ";
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "1", 1), 0);
  const std::string file = file_with("in.iob", large + "\nParis|B-LOC\n");
  IobLineReader reader(file, std::make_shared<Vocab>("en"));
  EXPECT_THROW(reader.next(), Error);
  EXPECT_TRUE(reader.skip_row());
  const auto doc = reader.next();
  ::unsetenv("WEFT_READ_MIB");
  ASSERT_TRUE(doc);
  EXPECT_EQ(doc->text(), "Paris ");
}

}  // namespace
}  // namespace weft
