// The converters that are built in: which reader stands behind each name, and what each is given.
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/converter.h"
#include "framework/text/doc_bin.h"
#include "registry/base/error.h"
#include "tests/components/building.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

class ConvertersTest : public ::testing::Test {
 protected:
  // The words of the documents, one text for each; running text is one token a document.
  std::vector<std::string> read(const std::string& name, const std::string& path,
                                int sents_per_doc = 1) {
    const auto converter = testing::build<Converter>("@converters = \"" + name + "\"\n");
    const auto make = [this](std::string_view text) { return Doc::from_words(vocab_, {text}); };
    const ConverterInput input{
        .path = path, .vocab = vocab_, .make_doc = make, .sents_per_doc = sents_per_doc};
    std::vector<std::string> texts;
    converter.read(input, [&](const Doc& doc) {
      std::string text;
      for (int i = 0; i < doc.size(); ++i) text += (i > 0 ? "|" : "") + std::string(doc.word(i));
      texts.push_back(text);
    });
    return texts;
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(ConvertersTest, ConllByBothItsNames) {
  const std::string path = file_with("a.conll", "a\tO\nb\tB-X\n\nc\tO\n\n");
  for (const char* name : {"conll", "ner"}) {
    EXPECT_THAT(read(name, path), ElementsAre("a|b", "c"));
    EXPECT_THAT(read(name, path, 2), ElementsAre("a|b|c"));
  }
  const std::string marked =
      file_with("b.conll", "-DOCSTART- O\n\na O\n\nb O\n\n-DOCSTART- O\n\nc O\n");
  EXPECT_THAT(read("conll", marked), ElementsAre("a|b", "c")) << "marks go before --n-sents";
  const std::string later = file_with("c.conll", "a O\n\nb O\n\n-DOCSTART- O\n\nc O\n\nd O\n");
  EXPECT_THAT(read("conll", later), ElementsAre("a|b", "c|d")) << "also behind sentences";
  EXPECT_THAT(read("conll", later, 0), ElementsAre("a|b", "c|d"));
  EXPECT_THAT(read("conll", path, 0), ElementsAre("a|b|c"));
}

TEST_F(ConvertersTest, IobLines) {
  const std::string path = file_with("a.iob", "a|O b|B-X\n\nc|O\n");
  EXPECT_THAT(read("iob", path), ElementsAre("a|b", "c"));
  EXPECT_THAT(read("iob", path, 2), ElementsAre("a|b|c"));
  EXPECT_THROW(read("iob", path, 0), Error) << "nothing marks documents";
}

TEST_F(ConvertersTest, WordsOfFilesWithoutAColumnOfTagsGetOne) {
  const auto tag_of = [this](const std::string& name, const std::string& path) {
    const auto converter = testing::build<Converter>("@converters = \"" + name + "\"\n");
    ConverterInput input;
    input.path = path;
    input.vocab = vocab_;
    input.untagged = "-";
    std::string tag;
    converter.read(input, [&](const Doc& doc) { tag = doc.string(doc.value(Attr::tag, 0)); });
    return tag;
  };
  EXPECT_EQ(tag_of("conll", file_with("t.conll", "a\tO\n")), "-");
  EXPECT_EQ(tag_of("conll", file_with("t.conll", "a\tDT\tO\n")), "DT");
  EXPECT_EQ(tag_of("iob", file_with("t.iob", "a|O\n")), "-");
  EXPECT_EQ(tag_of("iob", file_with("t.iob", "a|DT|O\n")), "DT");
}

TEST_F(ConvertersTest, JsonAndJsonLines) {
  const std::string json = file_with(
      "a.json", R"([{"paragraphs": [{"sentences": [{"tokens": [{"orth": "a"}, {"orth": "b"}]}]},
                                    {"sentences": [{"tokens": [{"orth": "c"}]}]}]}])");
  EXPECT_THAT(read("json", json), ElementsAre("a|b", "c"));
  const std::string lines =
      file_with("a.jsonl", "{\"text\": \"one text\"}\n\n{\"words\": [\"a\", \"b\"]}\n");
  EXPECT_THAT(read("jsonl", lines), ElementsAre("one text", "a|b"));
}

TEST_F(ConvertersTest, TextPassesOverEmptyLines) {
  EXPECT_THAT(read("text", file_with("a.txt", "one text\n\nand another\r\n")),
              ElementsAre("one text", "and another"));
}

TEST_F(ConvertersTest, SpacyFiles) {
  DocBinWriter writer;
  writer.add(Doc::from_words(vocab_, {"a", "b"}));
  writer.add(Doc::from_words(vocab_, {"c"}));
  EXPECT_THAT(read("spacy", file_with("a.spacy", writer.to_bytes())), ElementsAre("a|b", "c"));
}

TEST_F(ConvertersTest, WhatIsDamagedOrMissingIsAnError) {
  for (const char* name : {"conll", "iob", "json", "jsonl", "spacy", "text"}) {
    EXPECT_THROW(read(name, "/no/such/file"), Error) << name;
    EXPECT_THROW(read(name, file_with("bad", "\xff\xfe{[| \x9c\n")), Error) << name;
  }
}

}  // namespace
}  // namespace weft
