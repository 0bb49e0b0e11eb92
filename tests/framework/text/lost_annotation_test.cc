#include "framework/text/lost_annotation.h"

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Doc words() {
  return Doc::from_words(std::make_shared<const Vocab>("en"), {"Ada", "sleeps", ".", "Oslo"});
}

// A document with annotation of every kind.
Doc annotated() {
  Doc doc = words();
  doc.set_sent_starts({1, -1, -1, 1});
  for (const Attr attr : {Attr::tag, Attr::pos, Attr::morph, Attr::lemma}) {
    doc.set_column(attr, std::vector<StringId>(4, string_id("x")));
  }
  doc.set_heads({0, -1, -2, 0});
  doc.set_span_group("sc", {});
  doc.set_cat("A", 1.0);
  return doc;
}

std::vector<DocAnnotation> lost(const char* format, const Doc& doc) {
  LostAnnotation lost(format);
  lost.add(doc);
  lost.add(doc);
  return lost.found();
}

TEST(LostAnnotation, EachFormatKeepsItsOwn) {
  using enum DocAnnotation;
  EXPECT_THAT(lost(".spacy", annotated()), IsEmpty());
  EXPECT_THAT(lost(".jsonl", annotated()),
              ElementsAre(sentences, tags, pos, morphology, lemmas, heads));
  EXPECT_THAT(lost(".conllu", annotated()), ElementsAre(spans, categories));
  for (const char* format : {".conll", ".iob"}) {
    EXPECT_THAT(lost(format, annotated()),
                ElementsAre(pos, morphology, lemmas, heads, spans, categories));
  }
  EXPECT_TRUE(LostAnnotation(".jsonl").found().empty());
}

TEST(LostAnnotation, ThatOfNoWordIsNone) {
  EXPECT_THAT(lost(".jsonl", words()), IsEmpty());
  Doc doc = words();
  doc.set_sent_starts({1, -1, -1, -1});
  doc.set_column(Attr::tag, std::vector<StringId>(4, string_id("-")));  // of a converter
  EXPECT_THAT(lost(".jsonl", doc), IsEmpty());
}

}  // namespace
}  // namespace weft
