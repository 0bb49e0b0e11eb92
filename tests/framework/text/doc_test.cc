#include "framework/text/doc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class DocTest : public ::testing::Test {
 protected:
  Doc york() {
    return Doc::from_words(vocab_, {"In", "Neü", "York", "!"}, {true, true, false, false});
  }
  StringId label(std::string_view text) { return vocab_->strings().add(text); }
  static std::string iobs(const Doc& doc) {
    std::string text;
    for (int i = 0; i < doc.size(); ++i) text += "-IOB"[static_cast<int>(doc.ent_iob(i))];
    return text;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(DocTest, TextAndOffsets) {
  const Doc doc = york();
  EXPECT_EQ(doc.text(), "In Neü York!");
  EXPECT_EQ(doc.word(1), "Neü");
  EXPECT_EQ(doc.span_text(1, 3), "Neü York");
  EXPECT_EQ(doc.span_text(2, 2), "");
  EXPECT_EQ(doc.tokens()->char_start(2), 7u) << "in code points";
  EXPECT_EQ(doc.tokens()->byte_start(2), 8u);
  EXPECT_EQ(doc.tokens()->char_end(3), 12u);
  EXPECT_THAT(doc.span_chars(1, 3), Pair(3, 11));
  EXPECT_THAT(doc.span_chars(4, 4), Pair(12, 12));
  EXPECT_THAT(doc.char_span(3, 11), Pair(1, 3));
  EXPECT_THAT(doc.char_span(3, 10), Pair(-1, -1));
  EXPECT_THAT(doc.char_span(4, 11), Pair(-1, -1));
  EXPECT_THAT(doc.char_span(7, 6), Pair(-1, -1));
}

TEST_F(DocTest, AttributesAreColumns) {
  const Doc doc = york();
  EXPECT_THAT(doc.attr_ids(Attr::norm),
              ElementsAre(string_id("in"), string_id("neü"), string_id("york"), string_id("!")));
  EXPECT_EQ(doc.attr_ids(Attr::shape)[1], string_id("Xxx"));
  EXPECT_THROW(doc.attr_ids(Attr::lower), Error);
  EXPECT_THAT(doc.attr_values(Attr::is_alpha), ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(doc.attr_values(Attr::length), ElementsAre(2, 3, 4, 1));
  EXPECT_THAT(doc.attr_values(Attr::spacy), ElementsAre(1, 1, 0, 0));
  EXPECT_EQ(doc.attr_values(Attr::lower)[2], string_id("york"));
  EXPECT_THAT(doc.attr_values(Attr::sent_start), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(doc.attr_values(Attr::ent_type), ElementsAre(0, 0, 0, 0));
}

TEST_F(DocTest, SpacingMayBeUnknown) {
  const Doc doc = Doc::from_words(vocab_, {"a", "b"});
  EXPECT_TRUE(doc.has_unknown_spaces());
  EXPECT_EQ(doc.text(), "a b ");
  EXPECT_FALSE(york().has_unknown_spaces());
  EXPECT_THROW(Doc::from_words(vocab_, {"a", "b"}, {true}), Error);
  EXPECT_THROW(Doc::from_words(vocab_, {"a", ""}), Error);
}

TEST_F(DocTest, OwnNormsAreKept) {
  TokenTableBuilder builder;
  builder.append("do", vocab_->lexeme("do"), false);
  builder.append("n't", vocab_->lexeme("n't"), true, vocab_->strings().add("not"));
  const Doc doc(vocab_, builder.finish());
  EXPECT_EQ(doc.norm(0), "do");
  EXPECT_EQ(doc.norm(1), "not");
  EXPECT_EQ(doc.words_only().norm(1), "n't");
  EXPECT_EQ(doc.attr_ids(Attr::norm)[1], string_id("not"));
}

TEST_F(DocTest, EntitiesAreSetAndRead) {
  Doc doc = york();
  EXPECT_FALSE(doc.has_ents());
  doc.set_ents({{1, 3, label("GPE"), label("Q60")}});
  EXPECT_EQ(iobs(doc), "OBIO");
  EXPECT_THAT(doc.ents(), ElementsAre(Span{1, 3, label("GPE"), label("Q60")}));
  doc.set_ents({});
  EXPECT_EQ(iobs(doc), "OOOO");
  EXPECT_THAT(doc.ents(), IsEmpty());
  EXPECT_TRUE(doc.has_ents());
}

TEST_F(DocTest, BlockedMissingAndOutside) {
  Doc doc = york();
  const Span ents[] = {{1, 2, label("A")}};
  const Span blocked[] = {{0, 1}};
  const Span missing[] = {{3, 4}};
  doc.set_ents(ents, EntsDefault::outside, blocked, missing);
  EXPECT_EQ(iobs(doc), "BBO-");
  EXPECT_EQ(doc.ent_type(0), 0u);
  EXPECT_THAT(doc.ents(), ElementsAre(Span{1, 2, label("A")}));
  const Span outside[] = {{0, 1}};
  doc.set_ents({}, EntsDefault::unmodified, {}, {}, outside);
  EXPECT_EQ(iobs(doc), "OBO-");
  doc.set_ents({}, EntsDefault::missing);
  EXPECT_EQ(iobs(doc), "----");
  doc.set_ents({}, EntsDefault::blocked);
  EXPECT_EQ(iobs(doc), "BBBB");
  EXPECT_THAT(doc.ents(), IsEmpty());
}

TEST_F(DocTest, AnnotationIsRepaired) {
  Doc doc = york();
  const StringId a = label("A");
  doc.set_ent_columns({Iob::out, Iob::in, Iob::in, Iob::in}, {0, a, a, label("B")});
  doc.repair_ents();
  EXPECT_EQ(iobs(doc), "OBIB");
  // A new entity over the start of an old one leaves the rest to begin anew.
  doc.set_ents({{0, 3, a}}, EntsDefault::outside);
  doc.set_ents({{0, 1, label("B")}}, EntsDefault::unmodified);
  EXPECT_EQ(iobs(doc), "BBIO");
}

TEST_F(DocTest, RefusesSpansThatDoNotFit) {
  Doc doc = york();
  EXPECT_THROW(doc.set_ents({{0, 2, 5}, {1, 3, 5}}), Error);
  EXPECT_THROW(doc.set_ents({{2, 5, 5}}), Error);
  EXPECT_THROW(doc.set_ents({{-1, 1, 5}}), Error);
  doc.set_ent_columns({Iob::in, Iob::out, Iob::out, Iob::out}, {5, 0, 0, 0});
  EXPECT_THROW(doc.ents(), Error) << "inside, but nothing began";
}

TEST_F(DocTest, Sentences) {
  Doc doc = york();
  EXPECT_FALSE(doc.has_sents());
  doc.set_sent_starts({1, -1, 1, 0});
  EXPECT_TRUE(doc.has_sents());
  EXPECT_THAT(doc.sents(), ElementsAre(Pair(0, 2), Pair(2, 4)));
  EXPECT_THROW(doc.set_sent_starts({1}), Error);
  EXPECT_TRUE(Doc(vocab_).has_sents());
  EXPECT_THAT(Doc(vocab_).sents(), IsEmpty());
}

TEST_F(DocTest, SlicesKeepWhatLiesInside) {
  Doc doc = york();
  doc.set_ents({{0, 1, label("A")}, {1, 3, label("GPE")}});
  doc.set_span_group("sc", {"sc", "", {{1, 3, 7}, {0, 2, 8}}});
  doc.set_heads({1, 0, -1, -3});
  const Doc part = doc.slice(1, 4);
  EXPECT_EQ(part.text(), "Neü York!");
  EXPECT_EQ(iobs(part), "BIO");
  EXPECT_THAT(part.ents(), ElementsAre(Span{0, 2, label("GPE")}));
  EXPECT_THAT(part.span_group("sc")->spans, ElementsAre(Span{0, 2, 7}));
  EXPECT_THAT(part.heads(), ElementsAre(0, -1, 0)) << "without labels they have no heads";
  EXPECT_EQ(part.tokens()->char_start(1), 4u);
  EXPECT_EQ(part.attr_ids(Attr::norm)[1], string_id("york"));
  EXPECT_EQ(iobs(doc.slice(2, 4)), "-O") << "cut at the left edge";
  EXPECT_EQ(iobs(doc.slice(0, 2)), "B-") << "cut at the right edge";
  EXPECT_EQ(doc.slice(2, 2).size(), 0);
  EXPECT_EQ(doc.slice(2, 4).tokens()->char_start(1), 4u) << "all ASCII now";
}

// The numbers are those of spaCy 3.8's Span.as_doc.
TEST_F(DocTest, AnArcThatASliceCutsGoesToAnAncestorOrToARoot) {
  Doc doc = Doc::from_words(vocab_, {"a", "b", "c", "d", "e", "f"}, {});
  doc.set_column(Attr::dep, std::vector<StringId>(6, label("obj")));
  doc.set_heads({1, 4, -2, -3, 0, -1});  // a, b, f, e; c and d hang at a
  doc.set_sent_starts({1, -1, 1, -1, -1, -1});
  const Doc part = doc.slice(1, 5);  // b c d e
  EXPECT_THAT(part.heads(), ElementsAre(3, 2, 1, 0));
  EXPECT_EQ(part.string(part.value(Attr::dep, 0)), "dep");
  EXPECT_EQ(part.string(part.value(Attr::dep, 3)), "obj");
  EXPECT_THAT(part.sent_starts(), ElementsAre(1, -1, -1, -1));
  const Doc rest = doc.slice(2, 4);  // c d, which lose the same root
  EXPECT_THAT(rest.heads(), ElementsAre(0, -1));
  EXPECT_THAT(doc.slice(4, 6).heads(), ElementsAre(0, -1));
  doc.set_column(Attr::dep, {label("obj"), label("obj"), 0, label("obj"), 0, 0});
  const Doc bare = doc.slice(2, 4);  // c has no label, and so no head
  EXPECT_THAT(bare.heads(), ElementsAre(0, 0));
  EXPECT_EQ(bare.value(Attr::dep, 0), 0u);
  EXPECT_EQ(bare.string(bare.value(Attr::dep, 1)), "dep");
}

TEST_F(DocTest, StringsOfItsOwnGoFirst) {
  Doc doc = york();
  auto strings = std::make_shared<StringTable>();
  const StringId lemma = strings->add("lemma");
  EXPECT_FALSE(doc.find_string(lemma));
  EXPECT_THROW(doc.string(lemma), Error);
  doc.set_strings(strings);
  EXPECT_EQ(doc.string(lemma), "lemma");
  EXPECT_EQ(doc.string(383), "ORG");
}

TEST_F(DocTest, ColumnsGroupsAndCategories) {
  Doc doc = york();
  EXPECT_THAT(doc.column(Attr::tag), IsEmpty());
  doc.set_column(Attr::tag, {1, 2, 3, 4});
  EXPECT_EQ(doc.value(Attr::tag, 2), 3u);
  EXPECT_THROW(doc.set_column(Attr::tag, {1}), Error);
  doc.set_column(Attr::tag, {});
  EXPECT_EQ(doc.value(Attr::tag, 2), 0u);
  EXPECT_THROW(doc.set_heads({1, 1, 1, 1}), Error);
  doc.set_cat("POS", 0.5);
  doc.set_cat("NEG", true);
  doc.set_cat("POS", std::int64_t{1});
  EXPECT_THAT(doc.cats(),
              ElementsAre(TextCategory{"POS", std::int64_t{1}}, TextCategory{"NEG", true}));
  doc.set_span_group("a", {"a", "", {}});
  doc.set_span_group("a", {"b", "", {{0, 1}}});
  EXPECT_EQ(doc.span_groups().size(), 1u);
  EXPECT_EQ(doc.span_group("a")->name, "b");
  EXPECT_EQ(doc.span_group("c"), nullptr);
}

TEST(Doc, CategoriesGivenTogether) {
  Doc doc(std::make_shared<Vocab>("en"));
  doc.set_cat("old", 1.0);
  doc.set_cats({{"a", 1.0}, {"b", true}, {"a", 2.0}});
  EXPECT_THAT(doc.cats(), ElementsAre(TextCategory{"a", 2.0}, TextCategory{"b", true}));
  std::vector<TextCategory> many, expected;
  for (int i = 0; i < 3000; ++i) many.push_back({std::to_string(i % 1000), double(i)});
  for (int i = 0; i < 1000; ++i) expected.push_back({std::to_string(i), double(2000 + i)});
  doc.set_cats(many);
  EXPECT_EQ(doc.cats(), expected);
  doc.set_cats({});
  EXPECT_TRUE(doc.cats().empty());
}

TEST(Doc, SpansOfGroupsLieInTheDocument) {
  Doc doc = Doc::from_words(std::make_shared<const Vocab>("en"), {"Ada", "left"});
  doc.set_span_group("sc", {"sc", "", {{0, 2}, {2, 2}}});
  for (const Span& span : {Span{0, 9}, Span{-1, 1}, Span{2, 1}}) {
    EXPECT_THROW(doc.set_span_group("sc", {"sc", "", {span}}), Error);
    EXPECT_THROW(doc.set_span_groups({{"sc", {"sc", "", {span}}}}), Error);
  }
  EXPECT_EQ(doc.span_group("sc")->spans.size(), 2U);
}

}  // namespace
}  // namespace weft
