#include "framework/text/spacy_json.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/biluo.h"
#include "framework/text/morph_features.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Doc> docs(const std::string& text) {
  std::vector<Doc> docs;
  read_spacy_json(file_with("in.json", text), std::make_shared<Vocab>("en"),
                  [&](Doc doc) { docs.push_back(std::move(doc)); });
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

constexpr const char* kTwoParagraphs = R"([{"id": 0, "paragraphs": [
  {"raw": "Hi, Anna went to New York.  Bye", "cats": [{"label": "A", "value": 0.5}],
   "sentences": [
    {"tokens": [
      {"orth": "Hi", "tag": "UH", "ner": "O"}, {"orth": ",", "ner": "-"},
      {"orth": "Anna", "ner": "U-PER", "lemma": "Anna"}, {"orth": "went", "ner": "O"},
      {"orth": "to", "ner": "O"}, {"orth": "New", "ner": "B-LOC"}, {"orth": "York", "ner": "L-LOC"},
      {"orth": ".", "ner": "O"}]},
    {"tokens": [{"orth": "Bye", "ner": "O"}]}]},
  {"sentences": [{"tokens": [{"orth": "a"}, {"orth": "b"}]}]}]},
 {"paragraphs": [{"sentences": [{"tokens": [
   {"orth": "No", "space": " ", "head": 1, "dep": "det"}, {"orth": "way", "head": 0, "dep": "root"},
   {"orth": "!", "head": 0, "dep": "ROOT"}]}]}]}])";

std::vector<std::string> read_tags(const std::vector<std::string>& tags) {
  std::string tokens;
  for (const std::string& tag : tags) {
    tokens += std::string(tokens.empty() ? "" : ", ") + R"({"orth": "a", "ner": ")" + tag + "\"}";
  }
  return biluo_strings(
      docs(R"([{"paragraphs": [{"sentences": [{"tokens": [)" + tokens + "]}]}]}]")[0]);
}

TEST(SpacyJson, AnEntityThatAMissingTagCutsOffIsNone) {
  EXPECT_THAT(read_tags({"B-X", "-"}), ElementsAre("O", "O"));
  EXPECT_THAT(read_tags({"B-X", "I-X", "-", "O"}), ElementsAre("O", "O", "O", "O"));
  EXPECT_THAT(read_tags({"B-X", "-", "-"}), ElementsAre("O", "O", "-"));
  EXPECT_THAT(read_tags({"U-X", "-"}), ElementsAre("U-X", "-"));
  EXPECT_THAT(read_tags({"B-X", "L-X", "-"}), ElementsAre("B-X", "L-X", "-"));
}

TEST(SpacyJson, ReadsParagraphs) {
  const auto all = docs(kTwoParagraphs);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].text(), "Hi, Anna went to New York. Bye");
  EXPECT_THAT(biluo_strings(all[0]),
              ElementsAre("O", "-", "U-PER", "O", "O", "B-LOC", "L-LOC", "O", "O"));
  EXPECT_THAT(all[0].sent_starts(), ElementsAre(1, -1, -1, -1, -1, -1, -1, -1, 1));
  EXPECT_EQ(all[0].string(all[0].value(Attr::tag, 0)), "UH");
  EXPECT_EQ(all[0].string(all[0].value(Attr::lemma, 2)), "Anna");
  EXPECT_THAT(all[0].cats(), ElementsAre(TextCategory{"A", 0.5}));
  EXPECT_TRUE(all[1].has_unknown_spaces());
  EXPECT_FALSE(all[1].has_ents());
}

TEST(SpacyJson, SentencesFollowFromHeads) {
  const Doc doc = docs(kTwoParagraphs)[2];
  EXPECT_EQ(doc.text(), "No way!");
  EXPECT_EQ(doc.string(doc.value(Attr::dep, 1)), "ROOT");
  EXPECT_THAT(doc.heads(), ElementsAre(1, 0, 0));
  EXPECT_THAT(doc.sent_starts(), ElementsAre(1, -1, 1));
}

TEST(SpacyJson, FaultsNameTheFileAndTheDocument) {
  EXPECT_THAT(error_of("[{\"paragraphs\": []}, {}]"),
              HasSubstr("document 2: no list \"paragraphs\""));
  EXPECT_THAT(error_of("[{\"paragraphs\": []}"), HasSubstr("in.json  document 2: no valid JSON"));
  const auto token = [](const std::string& text) {
    return "[{\"paragraphs\": [{\"sentences\": [{\"tokens\": [" + text + "]}]}]}]";
  };
  EXPECT_THAT(error_of(token("{}")), HasSubstr("document 1: a token without \"orth\""));
  EXPECT_THAT(error_of(token("1")), HasSubstr("no object"));
  EXPECT_THAT(error_of(token("{\"orth\": 1}")), HasSubstr("is not text"));
  EXPECT_THAT(error_of(token("{\"orth\": \"a\", \"ner\": \"L-X\"}")), HasSubstr("L-X"));
  EXPECT_THAT(error_of(token("{\"orth\": \"a\", \"head\": 3}")), HasSubstr("head"));
  EXPECT_THAT(error_of(token("{\"orth\": \"\"}")), HasSubstr("empty"));
  EXPECT_THAT(error_of("5"), HasSubstr("no list"));
  EXPECT_THROW(docs("[]").at(0), std::out_of_range);
}

TEST(SpacyJson, HeadsOutsideOfTheDocumentAreRefusedWhateverTheirSize) {
  for (const char* head :
       {"3", "-2", "2147483648", "4294967295", "4294967296", "-4294967297", "9223372036854775807",
        "18446744073709551615", "18446744073709551616", "1.0", "\"0\""}) {
    EXPECT_THAT(error_of(std::string(R"([{"paragraphs": [{"sentences": [{"tokens": [
                  {"orth": "a", "head": 0, "dep": "ROOT"}, {"orth": "b", "head": )") +
                         head + "}]}]}]}]"),
                HasSubstr("head"))
        << head;
  }
}

TEST(SpacyJson, NothingIsThereTwice) {
  const auto paragraph = [](const std::string& text) {
    return R"([{"paragraphs": [{)" + text + R"("sentences": [{"tokens": [{"orth": "a"}]}]}]}])";
  };
  EXPECT_THAT(error_of(paragraph("\"sentences\": [],")), HasSubstr("\"sentences\" is there twice"));
  EXPECT_THAT(
      error_of(paragraph("\"cats\": [{\"label\": \"x\", \"value\": 1, \"label\": \"y\"}],")),
      HasSubstr("\"label\" is there twice"));
  const std::string cat = R"({"label": "x", "value": 1})";
  EXPECT_THAT(error_of(paragraph("\"cats\": [" + cat + "," + cat + "],")),
              HasSubstr("the category \"x\" is there twice"));
  for (const char* cats : {"{\"x\": 1.0}", "\"x\"", "5"}) {
    EXPECT_THAT(error_of(paragraph(std::string("\"cats\": ") + cats + ",")), HasSubstr("no list"));
  }
  for (const char* none : {"{}", "[]", "null"}) {
    EXPECT_EQ(error_of(paragraph(std::string("\"cats\": ") + none + ",")), "no error");
  }
}

// Wherever it stands, the parser holds it whole.
TEST(SpacyJson, ATextWithoutEndIsRefused) {
  const std::string text = '"' + std::string((std::size_t{65} << 20), 'a') + '"';
  for (const char* before : {"[{\"id\": ", "[{\"paragraphs\": [{\"raw\": "}) {
    EXPECT_THAT(error_of(before + text + "}]"), HasSubstr("a text of more than 64 MiB"));
  }
}

// Values are counted before the document is made of them, and again from nothing for the next.
TEST(SpacyJson, AParagraphTakesBoundedMemory) {
  const auto paragraph = [](std::size_t tokens) {
    std::string text;
    for (std::size_t i = 0; i < tokens; ++i)
      text += (i > 0 ? "," : "") + std::string(R"({"orth": "a"})");
    return R"({"sentences": [{"tokens": [)" + text + "]}]}";
  };
  ::setenv("WEFT_READ_MIB", "1", 1);
  EXPECT_THAT(error_of(R"([{"paragraphs": [{"raw": ")" + std::string(1 << 20, 'a') + "\"}]}]"),
              HasSubstr("the values of a paragraph"));
  EXPECT_THAT(error_of("[{\"paragraphs\": [" + paragraph(1400) + "]}]"),
              HasSubstr("the tokens of a paragraph"));
  std::string many = paragraph(900);
  for (int i = 0; i < 9; ++i) many += "," + paragraph(900);
  EXPECT_EQ(error_of("[{\"paragraphs\": [" + many + "]}]"), "no error");
  ::unsetenv("WEFT_READ_MIB");
}

TEST(SpacyJson, FeaturesAreWrittenAsTheReferenceWritesThem) {
  const auto paragraph = [](const std::string& features) {
    return R"([{"paragraphs": [{"cats": [{"label": "A", "value": true}, {"label": "B", "value": false}],
                "sentences": [{"tokens": [{"orth": "a", "morph": ")" +
           features + R"("}]}]}]}])";
  };
  const Doc doc = docs(paragraph("B=1|A=2,1")).at(0);
  EXPECT_EQ(doc.string(doc.value(Attr::morph, 0)), "A=1,2|B=1");
  EXPECT_THAT(doc.cats(), ElementsAre(TextCategory{"A", 1.0}, TextCategory{"B", 0.0}));
  EXPECT_NE(error_of(paragraph("a")), "no error");
}

TEST(SpacyJson, NoFeaturesBesideFeaturesAreAnnotation) {
  const auto doc_of = [](const std::string& tokens) {
    return docs(R"([{"paragraphs": [{"sentences": [{"tokens": [)" + tokens + "]}]}]}]").at(0);
  };
  const Doc doc =
      doc_of(R"({"orth": "a", "morph": "A=1"}, {"orth": "b", "morph": ""}, {"orth": "c"})");
  EXPECT_NE(doc.value(Attr::morph, 1), 0u);
  EXPECT_NE(doc.value(Attr::morph, 2), 0u);
  EXPECT_EQ(morph_text(doc, 1), "");
  EXPECT_TRUE(doc_of(R"({"orth": "a", "morph": ""})").column(Attr::morph).empty());
}

TEST(SpacyJson, PassesOverWhatIsAroundParagraphs) {
  const auto all = docs(R"([1, [{"paragraphs": 5}], "x", {"a": [{"paragraphs": {}}, []],
      "paragraphs": [{"sentences": [{"tokens": [{"orth": "a"}]}]}], "z": {"paragraphs": []}}, null])");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].text(), "a ");
  const auto one = docs(R"({"paragraphs": [{"sentences": [{"tokens": [{"orth": "b"}]}]}]})");
  ASSERT_EQ(one.size(), 1u) << "a document that is not in a list";
  EXPECT_THAT(error_of(R"([{"paragraphs": {}}])"), HasSubstr("no list \"paragraphs\""));
  EXPECT_THAT(error_of(R"([{"paragraphs": [[]]}])"), HasSubstr("no object where one with"));
  EXPECT_THAT(error_of(R"([{"paragraphs": [], "paragraphs": []}])"), HasSubstr("is there twice"));
  EXPECT_THAT(error_of("[{\"paragraphs\": [" + std::string(600, '[')), HasSubstr("more than 512"));
}

TEST(SpacyJson, AnEmptySpaceIsNoneAndRootsAreWrittenAlike) {
  const Doc doc = docs(R"([{"paragraphs": [{"sentences": [{"tokens": [
      {"orth": "No", "space": "", "head": 1, "dep": "det"},
      {"orth": "way", "space": " ", "head": 0, "dep": "Root"}]}]}]}])")[0];
  EXPECT_EQ(doc.text(), "Noway ");
  EXPECT_EQ(doc.string(doc.value(Attr::dep, 1)), "ROOT");
}

}  // namespace
}  // namespace weft
