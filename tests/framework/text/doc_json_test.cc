#include "framework/text/doc_json.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class DocJsonTest : public ::testing::Test {
 protected:
  StringId id(const char* text) { return vocab_->strings().add(text); }
  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(DocJsonTest, APredictionHasEveryField) {
  Doc doc = Doc::from_words(vocab_, {"Zoë", "in", "Oslo", "."}, {true, true, false, false});
  EXPECT_EQ(to_json_line(doc, DocJson::prediction),
            "{\"text\": \"Zoë in Oslo.\", \"tokens\": [\"Zoë\", \"in\", \"Oslo\", \".\"], "
            "\"spaces\": [true, true, false, false], \"ents\": [], \"cats\": {}}");
  doc.set_ents({{2, 3, id("LOC"), id("Q585")}});
  doc.set_cat("whole", std::int64_t{3});
  doc.set_cat("half", 0.5);
  doc.set_cat("yes", true);
  const std::string line = to_json_line(doc, DocJson::prediction);
  EXPECT_THAT(line, HasSubstr("\"ents\": [{\"start\": 2, \"end\": 3, \"start_char\": 7, "
                              "\"end_char\": 11, \"label\": \"LOC\"}]"));
  EXPECT_THAT(line, HasSubstr("\"cats\": {\"whole\": 3, \"half\": 0.5, \"yes\": true}"));
}

TEST_F(DocJsonTest, ACorpusSaysOnlyWhatIsKnown) {
  Doc doc = Doc::from_words(vocab_, {"Zoë", "left"});
  EXPECT_EQ(to_json_line(doc, DocJson::corpus), "{\"tokens\": [\"Zoë\", \"left\"], \"cats\": {}}");
  doc.set_ents({{0, 1, id("PER"), 0, id("z")}}, EntsDefault::outside);
  EXPECT_THAT(
      to_json_line(doc, DocJson::corpus),
      HasSubstr("\"ents\": [{\"start\": 0, \"end\": 1, \"label\": \"PER\", \"id\": \"z\"}]"));
  doc.set_ents({{0, 1, id("PER")}}, EntsDefault::missing);
  const std::string partly = to_json_line(doc, DocJson::corpus);
  EXPECT_THAT(partly, HasSubstr("\"ner_tags\": [\"U-PER\", \"-\"]"));
  EXPECT_THAT(partly, Not(HasSubstr("ents\"")));
}

TEST_F(DocJsonTest, ControlCharactersAreEscaped) {
  const Doc doc = Doc::from_words(vocab_, {"a\x1b[2J", "\x7f", "\u0085", "\u00a9"});
  EXPECT_THAT(to_json_line(doc, DocJson::corpus),
              HasSubstr("[\"a\\u001b[2J\", \"\\u007f\", \"\\u0085\", \"©\"]"));
}

// 300 tokens with a tag of a megabyte each; the same tag once is no fault.
TEST_F(DocJsonTest, ALineHasALimit) {
  const std::string tag(1 << 20, 'T');
  const StringId long_tag = id(tag.c_str());
  Doc doc = Doc::from_words(vocab_, std::vector<std::string>(300, "word"));
  std::vector<StringId> tags(300);
  tags[7] = long_tag;
  doc.set_column(Attr::tag, tags);
  EXPECT_THAT(to_json_line(doc, DocJson::prediction), HasSubstr(tag));
  doc.set_column(Attr::tag, std::vector<StringId>(300, long_tag));
  try {
    static_cast<void>(to_json_line(doc, DocJson::prediction));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("for a document of 300 tokens"));
    EXPECT_THAT(error.what(), HasSubstr("in the document \"word word"));
  }
}

}  // namespace
}  // namespace weft
