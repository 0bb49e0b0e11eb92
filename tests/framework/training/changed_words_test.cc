#include "framework/training/changed_words.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/pipeline/language.h"
#include "registry/base/error.h"

namespace weft {
namespace {

std::vector<Insertion> one(const char* word, int position) {
  return {{word, position}};
}

class ChangedWords : public testing::Test {
 protected:
  ChangedWords()
      : doc_(Doc::from_words(vocab_, {"In", "New", "York", "City", "!"},
                             {true, true, true, false, false})) {
    doc_.set_ents({{1, 4, id("GPE")}});
    doc_.set_sent_starts({1, -1, -1, -1, -1});
    doc_.set_column(Attr::tag, {id("IN"), id("NNP"), id("NNP"), id("NNP"), id(".")});
    doc_.set_cat("short", true);
  }
  StringId id(std::string_view text) { return vocab_->strings().add(text); }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
  Doc doc_;
};

TEST_F(ChangedWords, KeepTheAnnotation) {
  const Doc changed = with_words(doc_, {"in", "new", "york", "city", "..."});
  EXPECT_EQ(changed.text(), "in new york city...");
  EXPECT_EQ(changed.attr_ids(Attr::norm)[1], string_id("new"));
  EXPECT_EQ(changed.ents(), doc_.ents());
  EXPECT_EQ(changed.value(Attr::tag, 4), id("."));
  EXPECT_EQ(changed.sent_starts()[0], 1);
  EXPECT_EQ(changed.cats(), doc_.cats());
  EXPECT_THROW(with_words(doc_, {"in"}), Error);
}

TEST_F(ChangedWords, MissingAnnotationStaysMissing) {
  const Doc bare = Doc::from_words(vocab_, {"a", "b"});
  const Doc changed = with_words(bare, {"A", "B"});
  EXPECT_FALSE(changed.has_ents());
  EXPECT_TRUE(changed.column(Attr::tag).empty());
}

TEST_F(ChangedWords, ATokenInsideAnEntityBelongsToIt) {
  const Doc changed = with_inserted(doc_, one("\n", 2));
  EXPECT_EQ(changed.text(), "In New \nYork City!");
  ASSERT_EQ(changed.ents().size(), 1U);
  EXPECT_EQ(changed.ents()[0].start, 1);
  EXPECT_EQ(changed.ents()[0].end, 5);
  EXPECT_EQ(changed.value(Attr::tag, 2), id("_SP"));
  EXPECT_EQ(changed.sent_starts()[2], -1);
}

// All of them in one pass give the document that they give one by one.
TEST_F(ChangedWords, ManyInsertionsAreThoseOneByOne) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Doc doc = doc_;
    if (round % 2 == 0) {
      doc.set_heads({1, 2, 1, 0, -1});
      doc.set_column(Attr::dep, {id("a"), id("b"), id("c"), id("d"), id("e")});
    }
    std::vector<Insertion> insertions;
    Doc by_one = doc;
    for (int i = 0; i < round % 12; ++i) {
      insertions.push_back({i % 3 == 0 ? "\n" : " ", static_cast<int>(random() % (6U + i))});
      by_one = with_inserted(by_one, std::span(&insertions.back(), 1));
    }
    const Doc at_once = with_inserted(doc, insertions);
    EXPECT_EQ(at_once.text(), by_one.text());
    ASSERT_EQ(at_once.size(), by_one.size());
    EXPECT_THAT(at_once.ent_iobs(), ::testing::ElementsAreArray(by_one.ent_iobs()));
    EXPECT_THAT(at_once.heads(), ::testing::ElementsAreArray(by_one.heads()));
    EXPECT_THAT(at_once.sent_starts(), ::testing::ElementsAreArray(by_one.sent_starts()));
    for (const Attr attr : {Attr::lemma, Attr::pos, Attr::tag, Attr::dep, Attr::ent_type}) {
      EXPECT_THAT(at_once.column(attr), ::testing::ElementsAreArray(by_one.column(attr)));
    }
  }
}

TEST_F(ChangedWords, ATokenBesideAnEntityIsOutside) {
  for (const int position : {0, 1, 4, 5}) {
    const Doc changed = with_inserted(doc_, one("\t", position));
    ASSERT_EQ(changed.ents().size(), 1U);
    EXPECT_EQ(changed.ents()[0].end - changed.ents()[0].start, 3) << position;
    EXPECT_EQ(changed.ent_iob(position), Iob::out);
  }
}

TEST_F(ChangedWords, WhatIsKnownOfTheDocumentIsKept) {
  doc_.set_sent_starts({1, -1, 0, -1, 1});
  doc_.set_user_data("\x80");
  doc_.set_unknown_spaces(true);
  doc_.set_span_group("k", {"k", {}, {{1, 3, id("X")}}});
  auto strings = std::make_shared<StringTable>();
  const StringId lemma = strings->add("a lemma of this document alone");
  doc_.set_strings(strings);
  doc_.set_column(Attr::lemma, {0, lemma, 0, 0, 0});
  const Doc changed = with_words(doc_, {"in", "new", "york", "city", "!"});
  EXPECT_THAT(changed.sent_starts(), ::testing::ElementsAre(1, -1, 0, -1, 1));
  EXPECT_EQ(changed.user_data(), "\x80");
  EXPECT_TRUE(changed.has_unknown_spaces());
  ASSERT_NE(changed.span_group("k"), nullptr);
  EXPECT_EQ(changed.span_group("k")->spans.size(), 1U);
  EXPECT_EQ(changed.string(changed.value(Attr::lemma, 1)), "a lemma of this document alone");
}

TEST_F(ChangedWords, AnInsertedTokenIsItsOwnLemma) {
  doc_.set_column(Attr::lemma, {id("in"), id("New"), id("York"), id("City"), id("!")});
  doc_.set_column(Attr::pos, {id("ADP"), id("PROPN"), id("PROPN"), id("PROPN"), id("PUNCT")});
  const Doc changed = with_inserted(doc_, one("\n", 4));
  EXPECT_EQ(changed.string(changed.value(Attr::lemma, 4)), "\n");
  EXPECT_EQ(changed.string(changed.value(Attr::pos, 4)), "SPACE");
  EXPECT_EQ(changed.string(changed.value(Attr::lemma, 5)), "!");
}

}  // namespace
}  // namespace weft
